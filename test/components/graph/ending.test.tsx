import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { HowItEnded } from '@/components/graph/ending';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';
import type { Deadlock } from '@/lib/protocol/deadlock';

const lock = (key: string) => ({ db: 0, key, keyB64: key });

/** Both wait for each other: `dock` holds the door and waits for the van, `route` the other way round. */
const ended = (brokenBy: Deadlock['brokenBy']): Deadlock => ({
  ...{ id: 'd1', state: 'resolved', target: '127.0.0.1:6379', since: 1000, resolvedAt: 2000 },
  cycle: [
    {
      ...{ owner: 'dock:1', ownerApp: 'dock-control', waitsFor: lock('van') },
      ...{ heldBy: 'route:1', heldByApp: 'route-planner', waitingSince: null },
      ...{ deadline: null, renewed: false },
    },
    {
      ...{ owner: 'route:1', ownerApp: 'route-planner', waitsFor: lock('door') },
      ...{ heldBy: 'dock:1', heldByApp: 'dock-control', waitingSince: null },
      ...{ deadline: null, renewed: false },
    },
  ],
  evidence: 'observed',
  brokenBy,
});

const text = (element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale={DEFAULT_LOCALE} messages={messagesOf[DEFAULT_LOCALE]} timeZone="UTC">
      {element}
    </IntlProvider>,
  )
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const words = (brokenBy: NonNullable<Deadlock['brokenBy']>): string =>
  text(<HowItEnded deadlock={ended(brokenBy)} />);

describe('how a deadlock ended', () => {
  it('names the lock that was let go, and who held it', () => {
    expect(words({ lock: lock('van'), owner: 'route:1', reason: 'force-released' })).toMatch(
      /^Broken when this lock was let go: van held by route-planner route:1 /,
    );
  });

  it('names who gave up waiting as the one that waited, never as the holder', () => {
    expect(words({ lock: lock('van'), owner: 'dock:1', reason: 'wait-ended' })).toBe(
      'Broken when a wait was given up: dock-control dock:1 waited for van',
    );
  });

  it('names the operator who released it, and how the end is known', () => {
    const by = { reason: 'force-released', by: 'ada', at: 1, evidence: 'inferred' } as const;
    expect(words({ lock: lock('van'), owner: 'route:1', ...by })).toMatch(
      /van held by route-planner route:1 .*by ada .*inferred$/,
    );
  });

  it('says nothing where nothing tells', () => {
    expect(text(<HowItEnded deadlock={ended(null)} />)).toBe('');
  });
});
