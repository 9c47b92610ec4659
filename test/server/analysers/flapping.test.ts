import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { Change } from '@/server/state/change';
import type { HoldRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  anEndedHold,
  anOwner,
  aTable,
  aTarget,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const LEASE_MS = 30 * SECOND;

interface Round {
  token?: string;
  owner?: Partial<HoldRecord['owner']>;
  gapMs?: number;
  before?: Partial<HoldRecord>;
}

/** The hold before ran for its lease; the next one begins `gapMs` after its end. */
function again(n: number, { token = 'leader-1', owner, gapMs = 200, before = {} }: Round): Change {
  const since = START + n * (LEASE_MS + 200);
  const named = (id: string) => ({ ...anOwner(id), ...owner });
  const ended = anEndedHold(before.token ?? token, {
    generation: n,
    since: since - gapMs - LEASE_MS,
    end: since - gapMs,
    endReason: 'lease-ended',
    leaseMs: LEASE_MS,
    owner: named(before.token ?? token),
    ...before,
  });
  const hold = aHold(token, { generation: n + 1, since, owner: named(token) });
  const lock = aLock('lock:leader', { hold, ended: [ended] });
  return { kind: 'hold-started', at: since, lock, hold, previousEnd: ended.end };
}

function told(rounds: readonly Change[], afterMs = 0) {
  const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 30_000 });
  analysis.observe(rounds);
  const at = (rounds.at(-1)?.at ?? START) + afterMs;
  return inWords(analysis.findings(aTable([]), aTarget(), at)).filter(
    ({ code }) => code === 'flapping',
  );
}

const rounds = (count: number, round: (n: number) => Round = () => ({})): Change[] =>
  Array.from({ length: count }, (_, n) => again(n + 1, round(n)));

describe('a holder that loses its lock to its lease and takes it back', () => {
  it('three times within five minutes flaps, by name and with its lease', () => {
    expect(told(rounds(3))).toMatchObject([
      {
        severity: 'warning',
        evidence: 'observed',
        moment: false,
        count: 3,
        subject: { label: 'lock:leader' },
        summary: 'leader-1 lost it to its lease of 30 s and took it back, 3 times within 60 s',
      },
    ]);
  });

  it('is counted once for each hold, also where its owner is read later', () => {
    const seen = rounds(2);
    const repeated = seen.flatMap((change) =>
      change.kind === 'hold-started' ? [change, { ...change, kind: 'hold-updated' as const }] : [],
    );
    expect(told(repeated)).toEqual([]);
  });

  it('is known by its instance where the token has one, whatever the thread', () => {
    const owner = { instance: 'b983c153-7421-469a-addb-44fb92259a1b' };
    expect(
      told(
        rounds(3, (n) => ({ token: `thread-${n}`, owner, before: { token: `thread-${n - 1}` } })),
      ),
    ).toHaveLength(1);
  });

  it('is over once five minutes have passed without it', () => {
    expect(told(rounds(3), 60 * SECOND)).toHaveLength(1);
    expect(told(rounds(3), 301 * SECOND)).toEqual([]);
  });
});

describe('what looks like it and is none', () => {
  it('is twice, or thrice in more than five minutes', () => {
    expect(told(rounds(2))).toEqual([]);
    const spread = [again(1, {}), again(6, {}), again(11, {})];
    expect(told(spread)).toEqual([]);
  });

  it('is a lock that others took in turn, or that was given back', () => {
    expect(
      told(rounds(6, (n) => ({ token: `w${n % 2}`, before: { token: `w${(n + 1) % 2}` } }))),
    ).toEqual([]);
    expect(told(rounds(6, () => ({ before: { endReason: 'released' } })))).toEqual([]);
  });

  it('is one whose fresh tokens do not tell whose it is', () => {
    expect(told(rounds(6, (n) => ({ token: `t${n}`, before: { token: `t${n - 1}` } })))).toEqual(
      [],
    );
  });

  it('is a job that comes back on its schedule, or one that keeps the lock on purpose', () => {
    expect(told(rounds(6, () => ({ gapMs: 20 * SECOND })))).toEqual([]);
    const kept = { notes: new Set(['finished-kept' as const]) };
    expect(told(rounds(6, () => ({ before: kept })))).toEqual([]);
  });
});
