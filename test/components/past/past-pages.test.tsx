import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { readMoment } from '@/components/hooks';
import { samplePast, samplePastLock, freePastLock, blindPastLock } from '@/components/gallery/past';
import { SampleLive } from '@/components/gallery/sample-live';
import { MomentTimelinePanel } from '@/components/past/moment-timeline';
import { readPastFilter } from '@/components/past/past-filters';
import { PastHolderPanel } from '@/components/past/past-holder';
import { PastLocksTable } from '@/components/past/past-locks-table';
import { isWholeKnown, PastNotices } from '@/components/past/past-notices';
import { PastOwners } from '@/components/past/past-owner';
import { PastWaitersPanel } from '@/components/past/past-waiters';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';

const AT = Date.UTC(2026, 10, 30, 14, 3, 7, 250);

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
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role: 'admin', version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  );

const text = (element: ReactNode): string =>
  html(element)
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replace(/\s+/g, ' ');

describe('the moment in the address', () => {
  it('is epoch milliseconds, and anything else is none', () => {
    expect(readMoment('1793369587250')).toBe(1_793_369_587_250);
    for (const wrong of [null, '', 'now', '-5', '1e3', '9'.repeat(16), '9'.repeat(40)]) {
      expect(readMoment(wrong)).toBeNull();
    }
  });
});

describe('the locks of a moment', () => {
  const page = text(<PastLocksTable data={samplePast(AT)} />);

  it('name who held them by where it runs, as far as it is known', () => {
    expect(page).toContain('order-7 on 10.1.2.3');
    expect(page).toContain('owner-owner-');
  });

  it('say to the millisecond since when they were held, and what came of it', () => {
    expect(page).toContain('14:03:04.940');
    expect(page).toMatch(/2\.3 s released 12 s later/);
    expect(page).toMatch(/lease ended 870 ms later/);
    expect(page).toContain('still held');
  });

  it('tell a lock that was only waited for, and one whose waiters nobody sees', () => {
    expect(page).toContain('nobody');
    expect(page).toMatch(/\? unknown/);
  });
});

describe('a lock at a moment', () => {
  it('names the holder with all that is known of the hold', () => {
    const page = text(<PastHolderPanel data={samplePastLock(AT)} />);
    expect(page).toMatch(/Since 14:03:04\.940/);
    expect(page).toMatch(/Held for by then 2\.3 s/);
    expect(page).toContain('order-20771');
    expect(page).toContain('Depth at most 2');
  });

  it('names the hold before and the one after where nobody held it', () => {
    const page = text(<PastHolderPanel data={freePastLock(AT)} />);
    expect(page).toContain('Nobody held it.');
    expect(page).toMatch(/Before: .*lease ended.* 2\.3 s earlier/);
    expect(page).toMatch(/Next: .* 12 s later/);
  });

  it('does not claim within a gap that nobody held it', () => {
    const { lock, ...moment } = blindPastLock(AT);
    const free = { ...moment, lock: lock && { ...lock, hold: null } };
    expect(text(<PastHolderPanel data={free} />)).toContain('Nobody is known to have held it.');
  });

  it('tells who waited and whether they got it', () => {
    const { lock } = samplePastLock(AT);
    const page = lock ? text(<PastWaitersPanel lock={lock} at={AT} />) : '';
    expect(page).toMatch(/1\.8 s got it 12 s later/);
    expect(page).toMatch(/440 ms gave up 3 s later/);
  });

  it('names who waited by where it runs, with what tells it from others there', () => {
    const { lock, places } = samplePastLock(AT);
    const page = text(
      <PastOwners places={places}>{lock && <PastWaitersPanel lock={lock} at={AT} />}</PastOwners>,
    );
    expect(page).toMatch(/order-8 on 10\.1\.2\.4 ….*:12/);
    expect(page).toContain(':14');
  });

  it('says of waiters who leave no trace that they are not known', () => {
    const { lock } = samplePastLock(AT);
    const unseen = lock && { ...lock, waiters: [], waitersEvidence: 'unknown' as const };
    const page = unseen ? text(<PastWaitersPanel lock={unseen} at={AT} />) : '';
    expect(page).toContain('Not known');
    expect(page).not.toContain('Nobody waited');
  });

  it('lists the holds around with the way to each but the one that is shown', () => {
    const { around } = samplePastLock(AT);
    const panel = html(
      <MomentTimelinePanel holds={around} at={AT} now={AT + 90_000} onMoment={() => undefined} />,
    );
    expect(panel.match(/<button/g)).toHaveLength(around.length - 1);
    expect(panel.match(/>this moment</g)).toHaveLength(1);
  });
});

describe('what is said of a moment of which less is known', () => {
  const gap = { from: AT - 1000, to: AT + 500, reason: 'connection-lost' as const };

  it('names the gap by its ends and its reason', () => {
    const page = text(<PastNotices asked={AT} moment={{ at: AT, gap, keptFrom: 0 }} />);
    expect(page).toContain('14:03:06.250');
    expect(page).toContain('the connection was lost');
  });

  it('says from when on holds are kept', () => {
    const moment = { at: AT, gap: null, keptFrom: AT + 60_000 };
    expect(text(<PastNotices asked={AT} moment={moment} />)).toContain('14:04:07.250');
  });

  it('says of a moment to come that the present is shown', () => {
    const moment = { at: AT, gap: null, keptFrom: 0 };
    expect(text(<PastNotices asked={AT + 1} moment={moment} />)).toContain('yet to come');
  });

  it('lets an empty list mean "nothing" only where all is known', () => {
    expect(isWholeKnown({ at: AT, gap: null, keptFrom: AT })).toBe(true);
    expect(isWholeKnown({ at: AT, gap, keptFrom: AT })).toBe(false);
    expect(isWholeKnown({ at: AT, gap: null, keptFrom: AT + 1 })).toBe(false);
    expect(isWholeKnown({ at: AT, gap: null, keptFrom: null })).toBe(false);
  });
});

describe('the conditions in the address', () => {
  it('are those of the present that the past can be asked by', () => {
    const params = new URLSearchParams('q=a&class=b&namespace=&owner=&state=held&at=5');
    expect(readPastFilter((name) => params.get(name))).toEqual({
      q: 'a',
      class: 'b',
      namespace: '',
    });
  });
});
