import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { sampleDetail } from '@/components/gallery/lock-details';
import { SampleLive } from '@/components/gallery/sample-live';
import { scenes } from '@/components/gallery/scenes';
import { HolderText } from '@/components/locks/holder-text';
import { HistoryPanel } from '@/components/locks/detail/history-panel';
import { HolderPanel } from '@/components/locks/detail/holder-panel';
import { LibraryPanel } from '@/components/locks/detail/library-panel';
import { LockHeader } from '@/components/locks/detail/lock-header';
import { WaitersPanel } from '@/components/locks/detail/waiters-panel';
import { ReleaseFacts } from '@/components/locks/release/release-facts';
import { ReleaseFailure, ReleaseOutcome } from '@/components/locks/release/release-outcome';
import { OldHolder } from '@/components/locks/release/old-holder';
import { sharedLocks } from '@/components/gallery/shared-locks';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';
import { LockDetail, type Lock } from '@/lib/protocol/lock';
import type { SessionView } from '@/lib/protocol/session';

const NOW = Date.UTC(2026, 0, 15, 12);
const SCENES = scenes(NOW);

const html = (element: ReactNode, role: SessionView['role'] = 'operator'): string =>
  renderToStaticMarkup(
    <IntlProvider
      locale={DEFAULT_LOCALE}
      messages={messagesOf[DEFAULT_LOCALE]}
      timeZone="UTC"
      onError={(error) => {
        throw error;
      }}
    >
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role, version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  );

const text = (element: ReactNode, role?: SessionView['role']): string =>
  html(element, role)
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replace(/\s+/g, ' ');

/** The lock that a scene of the gallery shows. */
function lockOf(scene: string): LockDetail {
  return LockDetail.parse(SCENES[scene]?.queries['lock']?.(undefined));
}

const holder = (scene: string, role?: SessionView['role']): string =>
  text(<HolderPanel lock={lockOf(scene)} />, role);
const waiters = (scene: string, role?: SessionView['role']): string =>
  text(<WaitersPanel lock={lockOf(scene)} />, role);

describe('the page of a semaphore', () => {
  it('shows total, taken and free, every holder, and what may never come back', () => {
    const page = holder('lock-permits');
    expect(page).toMatch(/Total 5 Taken 3 Free 2/);
    expect(page).toContain('5f1c0e7a9b3d42c8a6e1f0');
    expect(page).toContain('1 permit has no deadline');
    expect(page).toContain('leak risk');
  });

  it('keeps those past their time apart from the holders', () => {
    const [live = '', stale = ''] = holder('lock-permits').split('1 past its time');
    expect(live).not.toContain('ffeeddccbbaa');
    expect(stale).toContain('ffeeddccbbaa');
  });

  it('says of a number that Redis does not have that it is not stored, and guesses no owner', () => {
    const page = holder('lock-counter');
    expect(page).toMatch(/Total not stored in Redis Taken not stored in Redis Free 0/);
    expect(page).toContain('no owner information');
    expect(page).not.toContain('no expiry');
  });

  it('offers to remove one holder to operators alone', () => {
    expect(holder('lock-permits')).toContain('Remove…');
    expect(holder('lock-permits', 'viewer')).not.toContain('Remove…');
  });
});

describe('the page of a read-write lock', () => {
  it('lists every reader with depth and connection, and flags one that is gone', () => {
    const page = holder('lock-readers');
    expect(page).toContain('2 readers');
    expect(page).toContain('The instance of 1 reader is no longer connected');
    expect(page).toContain('shop-2');
    expect(page).toContain('1 reader past its time');
    expect(page).toContain('Remove…');
  });

  it('describes a writer by instance, thread and depth, beside what it reads', () => {
    const page = holder('lock-writer');
    expect(page).toContain('Counts as held for writing');
    expect(page).toMatch(/Thread or task 57/);
    expect(page).toMatch(/Depth 2, at most 2/);
    expect(page).toContain('1 reader');
  });

  it('tells that a writer waits, where the library writes that down', () => {
    expect(holder('lock-writer-waits')).toContain('A writer waits');
    expect(holder('lock-readers')).not.toContain('A writer waits');
  });
});

describe('the page of a latch', () => {
  it('shows the number that is left, and names nobody', () => {
    const page = holder('lock-latch');
    expect(page).toMatch(/3 more counts open it/);
    expect(page).toContain('no owner information');
  });
});

describe('the line that says why', () => {
  it.each([
    ['lock-fair', 'Counts as held: its key exists'],
    ['lock-cooling-down', 'Counts as finished'],
    ['lock-broken', 'Counts as broken'],
    ['lock-broken-structure', 'the key uniquejobs:5f1c0e7a9b3d42c8:LOCKED is missing'],
    ['lock-dead-head', 'Counts as orphaned: its key does not exist, yet 4 owners stand'],
    ['lock-free-waited', 'Counts as free: nobody is written there, yet 2 wait'],
    ['lock-holder-gone', 'Perhaps orphaned: its holder was there and is no longer connected'],
  ])('of %s: %s', (scene, sentence) => {
    expect(holder(scene)).toContain(sentence);
  });
});

describe('a holder', () => {
  it('is connected, gone or of unknown whereabouts, and the page says how that is known', () => {
    expect(holder('lock-holder-gone')).toMatch(/Connection not connected It was there and has not/);
    expect(holder('lock-writer')).toMatch(/Connection connected It renews its presence/);
    expect(holder('lock-fair')).toContain('connection unknown');
  });

  it('leads by service, machine and instance to all that the same one holds', () => {
    const markup = html(<HolderPanel lock={lockOf('lock-holder-gone')} />);
    expect(markup).toContain('href="/locks?owner=billing"');
    expect(markup).toContain('href="/locks?owner=worker-7"');
  });

  it('is named with the key to delete and what a bare DEL leaves undone', () => {
    expect(holder('lock-fair')).toMatch(
      /The key to delete: order_sync:1042 in db 0\. .*wakes nobody/,
    );
    expect(holder('lock-idle-time')).not.toContain('bare DEL');
  });
});

describe('who waits', () => {
  it('in a queue with a dead head stands behind it in vain', () => {
    const page = waiters('lock-dead-head');
    expect(page).toContain('2 dead waiters stand at the head, and 2 behind wait for nothing');
    expect(page).toContain('Dropped in');
    const markup = html(<WaitersPanel lock={lockOf('lock-dead-head')} />);
    expect(markup.match(/aria-label="Drop the waiter/g)).toHaveLength(2);
    expect(page).toContain('Wake waiters…');
  });

  it('for a free lock can be woken by an operator', () => {
    expect(waiters('lock-free-waited')).toMatch(/Free, and still waited for.*Wake waiters…/);
    expect(waiters('lock-free-waited-viewer', 'viewer')).not.toContain('Wake waiters…');
  });

  it('unseen is no number: what points to somebody is told with how it is known', () => {
    const blocked = waiters('lock-blocked-clients');
    expect(blocked).toContain('Perhaps somebody waits; how many cannot be counted');
    expect(blocked).toContain('At most 3 wait');
    expect(blocked).toContain('left over: 4 signals that nobody took');
    expect(waiters('lock-idle-time')).toContain('a client that polls');
    for (const page of [blocked, waiters('lock-idle-time')]) expect(page).toContain('inferred');
  });

  it('in vain is told as far as a trace saw it, beside what cannot be observed', () => {
    const page = waiters('lock-sampled');
    expect(page).toContain('Not observable for this library');
    expect(page).toContain('10 failed attempts sampled from 1 client');
    expect(waiters('lock-traceable', 'admin')).toContain('A short trace shows attempts that fail');
    expect(waiters('lock-traceable', 'operator')).not.toContain('A short trace');
  });
});

describe('a lock that several libraries may have written', () => {
  const page = text(<LibraryPanel lock={lockOf('lock-ambiguous')} />);

  it('names them all, each with its reason, and which one is shown', () => {
    expect(page).toContain('Fits 3 libraries');
    expect(page).toMatch(/pottery Redlock shown as this value is a uuid/);
    expect(page).toMatch(/RedLock\.net value is a uuid/);
    expect(page).toContain('likely');
  });

  it('can be pinned by an operator, and no lock can that is in no doubt', () => {
    const panel = (scene: string, role?: SessionView['role']) =>
      text(<LibraryPanel lock={lockOf(scene)} />, role);
    expect(page).toContain('Pin this pattern…');
    expect(panel('lock-ambiguous', 'viewer')).not.toContain('Pin this pattern…');
    expect(panel('lock-fair')).not.toContain('Pin this pattern…');
  });

  it('is marked where its library is named in a line', () => {
    const header = text(<LockHeader lock={lockOf('lock-ambiguous')} actions={null} />);
    expect(header).toMatch(/\+2 Fits as well: RedLock\.net, /);
  });
});

describe('before a release', () => {
  const facts = (scene: string): string => text(<ReleaseFacts lock={lockOf(scene)} />);

  it('everybody who loses it is named, and nobody past its time', () => {
    expect(facts('lock-permits')).toContain('All 3 lose it');
    expect(facts('lock-permits')).not.toContain('ffeeddccbbaa');
    expect(facts('lock-fair')).not.toContain('lose it');
    expect(facts('lock-permits-many')).toContain('and 19 more');
  });

  it('the other libraries that fit are named', () => {
    expect(facts('lock-ambiguous')).toContain('Fits as well: RedLock.net, ');
    expect(facts('lock-fair')).not.toContain('Fits as well');
  });

  it('an old holder that comes back, or takes the next one’s lock, is warned of', () => {
    const warning = (scene: string) => text(<OldHolder library={lockOf(scene).library} />);
    expect(warning('lock-revives')).toContain('The old holder brings it back');
    expect(warning('lock-steals')).toContain('may take the lock from the next one');
    expect(warning('lock-fair')).toBe('');
  });
});

describe('after a release', () => {
  it.each([
    ['stopped-renewing', 'It has noticed'],
    ['came-back', 'It has not noticed'],
    ['unknown', 'leaves no trace'],
  ] as const)('the page tells whether the holder noticed: %s', (holderNoticed, words) => {
    const result = { outcome: 'released', wokeWaiters: 1, watchedForMs: 3000 } as const;
    const cameBack = holderNoticed === 'came-back';
    expect(
      text(<ReleaseOutcome result={{ ...result, cameBack, holderNoticed }} wakes />),
    ).toContain(words);
  });
});

describe('a release after which the next one has the lock', () => {
  it('tells that, and of no time in which the old holder stayed away', () => {
    const result = { outcome: 'released', wokeWaiters: 1, watchedForMs: 0 } as const;
    const page = text(
      <ReleaseOutcome result={{ ...result, cameBack: false, takenByNext: true }} wakes />,
    );
    expect(page).toContain('Somebody else took it');
    expect(page).not.toContain('did not come back');
  });
});

describe('the dialog of a release', () => {
  it('says that perhaps somebody waits, where that is all that is known', () => {
    const lock = lockOf('lock-fair');
    const facts = (evidence: 'inferred' | 'unknown'): string => {
      const waiting = { ...lock.waiting, evidence, count: null, source: 'idle-time' } as const;
      return text(<ReleaseFacts lock={{ ...lock, waiting }} />);
    };
    expect(facts('inferred')).toContain('perhaps somebody waits');
    expect(facts('unknown')).toContain('not observable');
  });
});

describe('a release whose wake-up nobody counts', () => {
  const outcome = (wakes: boolean): string =>
    text(
      <ReleaseOutcome
        result={{ outcome: 'released', wokeWaiters: null, watchedForMs: 3000, cameBack: false }}
        wakes={wakes}
      />,
    );

  it('was sent all the same, unless the library wakes nobody', () => {
    expect(outcome(true)).toContain('were sent a wake-up');
    expect(outcome(false)).toContain('Nobody was woken');
  });
});

describe('a lock that only a watched pattern declares', () => {
  it('is of no known library, and can be pinned to one', () => {
    const lock = lockOf('lock-fair');
    const sentences = { why: [{ id: 'because:declared', values: {} }], cannotReleaseBecause: [] };
    const page = text(<LibraryPanel lock={{ ...lock, sentences }} />);
    expect(page).toContain('Library not known');
    expect(page).toContain('Pin this pattern…');
  });
});

describe('a release that is refused', () => {
  const refused = (details: Record<string, unknown>): string =>
    text(
      <ReleaseFailure
        error={{ code: 'CONFLICT', message: 'Not released.', details }}
        shown="A:1"
      />,
    );

  it('names who holds the lock and who was shown to', () => {
    expect(refused({ holder: 'B:2', since: NOW })).toMatch(
      /The holder is now B:2 , since .* It was shown as held by A:1/,
    );
    expect(refused({ holder: null })).toMatch(/Nobody holds .* It was shown as held by A:1/);
    expect(refused({ holder: 'A:1', since: NOW })).not.toContain('It was shown');
  });
});

describe('in the list', () => {
  const line = (format: string): string => {
    const lock = sharedLocks(NOW).find((each: Lock) => each.format === format);
    return lock ? text(<HolderText lock={lock} />).trim() : '';
  };

  it('a lock that several may hold tells how many do', () => {
    expect(line('redisson-permits')).toBe('3 of 5 permits');
    expect(line('redisson-semaphore')).toBe('0 permits free');
    expect(line('redisson-latch')).toBe('3 to go');
    const lines = sharedLocks(NOW)
      .filter(({ kind }) => kind === 'read-write')
      .map((lock) => text(<HolderText lock={lock} />).trim());
    expect(lines).toEqual(['2 readers', expect.stringMatching(/^writer /)]);
  });
});

describe('a lock of any kind', () => {
  it('is shown without an error in every state of the gallery', () => {
    for (const [name, scene] of Object.entries(SCENES)) {
      const answer = LockDetail.safeParse(scene.queries['lock']?.(undefined));
      if (scene.page !== 'lock' || !answer.success) continue;
      const page = (
        <>
          <HolderPanel lock={answer.data} />
          <WaitersPanel lock={answer.data} />
          <LibraryPanel lock={answer.data} />
          <ReleaseFacts lock={answer.data} />
        </>
      );
      expect(text(page, scene.role), name).not.toMatch(/undefined|NaN/);
    }
  });

  it('says hostile names as text', () => {
    const detail = sampleDetail(lockOf('lock-permits'), NOW);
    const hostile = {
      ...detail,
      members: [{ ...detail.members[0]!, id: '<img src=x onerror=1>' }],
    };
    expect(html(<HolderPanel lock={hostile} />)).not.toContain('<img');
  });
});

describe('leases that ended while they were held', () => {
  it('are told of the lock and of its holder, since when, and what of them is a conclusion', () => {
    const detail = lockOf('lock-writer');
    const page = text(<HistoryPanel lock={detail} />);
    expect(page).toMatch(/4 leases of this lock ended while it was held, counting from/);
    expect(page).toContain('1 end was not seen.');
    expect(page).toMatch(/12 leases ended while instance .* held, on whatever lock, counting from/);
    expect(page).toContain('1 was followed by a late release');
    const none = text(<HistoryPanel lock={{ ...detail, overruns: undefined }} />);
    expect(none).not.toContain('while it was held');
  });
});
