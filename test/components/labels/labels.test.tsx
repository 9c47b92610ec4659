import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { EndReasonLabel } from '@/components/labels/end-reason-label';
import { Figure } from '@/components/labels/evidence-mark';
import { FormatLabel } from '@/components/labels/format-label';
import { KeyText } from '@/components/labels/key-text';
import { StateBadge } from '@/components/labels/state-badge';
import { WaitingText } from '@/components/labels/waiting-text';
import { hostileLocks, sampleWaiting } from '@/components/gallery/locks';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';
import { EndReason, LockState } from '@/lib/protocol/lock';

const html = (element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider
      locale={DEFAULT_LOCALE}
      messages={messagesOf[DEFAULT_LOCALE]}
      timeZone="UTC"
      onError={(error) => {
        throw error;
      }}
    >
      {element}
    </IntlProvider>,
  );

const text = (markup: string): string => markup.replace(/<[^>]*>/g, '');

describe('a key on a page', () => {
  it('is text, whatever it contains', () => {
    for (const lock of hostileLocks(0)) {
      const markup = html(<KeyText text={lock.key} lock={lock} />);
      expect(markup).not.toMatch(/<(img|script)/);
      expect(markup).toContain('dir="ltr"');
    }
  });

  it('costs a row little even at 5,000 bytes', () => {
    const [long] = hostileLocks(0);
    expect(text(html(<KeyText text={long?.key ?? ''} />)).length).toBeLessThan(200);
    expect(text(html(<KeyText text={long?.key ?? ''} full />))).toBe(long?.key);
  });

  it('says that it is empty when it is', () => {
    expect(text(html(<KeyText text="" />))).toContain('empty');
  });
});

describe('a figure', () => {
  it('that is unknown is never drawn as a number', () => {
    expect(text(html(<Figure evidence="unknown">{0}</Figure>))).not.toContain('0');
    expect(text(html(<Figure evidence="observed">{null}</Figure>))).toContain('?');
  });

  it('that is inferred looks other than one that is observed', () => {
    expect(html(<Figure evidence="inferred">{7}</Figure>)).toContain('decoration-dashed');
    expect(html(<Figure evidence="observed">{7}</Figure>)).toBe('7');
  });

  it.each([true, false])('of waiters that cannot be seen is no zero (short: %s)', (short) => {
    const unseen = text(
      html(<WaitingText waiting={sampleWaiting({ count: null })} short={short} />),
    );
    expect(unseen).toContain('?');
    expect(unseen).not.toMatch(/\d/);
  });

  it('of waiters says what it counts', () => {
    const waiting = sampleWaiting({ evidence: 'observed', count: 1, source: 'pubsub' });
    expect(text(html(<WaitingText waiting={{ ...waiting, unit: 'instances' }} />))).toBe(
      '1 client waiting',
    );
    expect(text(html(<WaitingText waiting={waiting} />))).toBe('1 waiting');
  });
});

describe('a label', () => {
  it('exists for every state and every end of a hold', () => {
    for (const state of LockState.options) {
      expect(text(html(<StateBadge state={state} />))).not.toBe('');
    }
    for (const reason of EndReason.options) {
      expect(text(html(<EndReasonLabel reason={reason} />))).not.toBe('');
    }
  });

  it('of a library shows the id where the catalogue does not know it', () => {
    expect(text(html(<FormatLabel format="made-up" />))).toBe('made-up');
    expect(text(html(<FormatLabel format="shedlock" />))).toBe('ShedLock');
  });
});
