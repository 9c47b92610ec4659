import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { LockRecord } from '@/server/state/lock-record';
import type { Member } from '@/lib/protocol/lock';
import {
  aHold,
  aLock,
  aTable,
  aTarget,
  aWaiter,
  inWords,
  markChecked,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const A = '6fa459ea-ee8a-8ca4-894e-db77e160355e:1';
const B = '16fd2706-8baf-833b-82eb-8c7fada847da:2';
const C = '16fd2706-8baf-833b-82eb-8c7fada847da:3';

function anAnalysis() {
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  const findings = (locks: readonly LockRecord[], at: number) => {
    const found = analysis.findings(aTable(locks), aTarget(), START + at);
    const asked = analysis.toCheck();
    if (asked.length === 0) return found;
    markChecked(locks, asked, START + at);
    return analysis.findings(aTable(locks), aTarget(), START + at);
  };
  return {
    observe: analysis.observe,
    codes: (locks: readonly LockRecord[], at: number) =>
      findings(locks, at).map(({ code }) => code),
    judge: (locks: readonly LockRecord[], at: number) => inWords(findings(locks, at)),
  };
}

const inside = (...ids: string[]): Member[] =>
  ids.map((id) => ({ id, refreshedAt: null, deadline: null, stale: false }));
const held = (owner: string) => aHold(owner, { deadline: START + 600 * SECOND });
const alive = (owner: string) => aWaiter(owner, { alive: true, deadline: START + SECOND });

describe('a deadlock of tasks of our own client', () => {
  it('is found through any reader that a writer waits for', () => {
    const doc = aLock('doc', {
      formatId: 'qoder-read-write',
      hold: held(C),
      members: inside(C, A),
      queue: [alive(`${B}:write`)],
    });
    const other = aLock('other', { formatId: 'qoder', hold: held(B), queue: [alive(A)] });
    expect(anAnalysis().codes([doc, other], 5 * SECOND)).toContain('deadlock');
  });

  it('is none while another member of a semaphore may leave first', () => {
    const slots = aLock('slots', {
      formatId: 'qoder-semaphore',
      hold: held(A),
      members: inside(A, C),
      queue: [alive(B)],
    });
    const other = aLock('other', { formatId: 'qoder', hold: held(B), queue: [alive(A)] });
    expect(anAnalysis().codes([slots, other], 5 * SECOND)).not.toContain('deadlock');
    slots.members = inside(A);
    expect(anAnalysis().codes([slots, other], 5 * SECOND)).toContain('deadlock');
  });

  it('is over when a waiter gives no more sign of life', () => {
    const one = aLock('one', { formatId: 'qoder', hold: held(A), queue: [alive(B)] });
    const two = aLock('two', { formatId: 'qoder', hold: held(B), queue: [alive(A)] });
    const analysis = anAnalysis();
    expect(analysis.codes([one, two], 5 * SECOND)).toContain('deadlock');
    one.queue = [aWaiter(B, { alive: false })];
    expect(analysis.codes([one, two], 6 * SECOND)).not.toContain('deadlock');
  });
});

describe('a task of our own client', () => {
  it('that reads and waits to write waits for itself', () => {
    const doc = aLock('doc', {
      formatId: 'qoder-read-write',
      hold: held(A),
      queue: [alive(`${A}:write`)],
    });
    const analysis = anAnalysis();
    analysis.codes([doc], 0);
    expect(analysis.codes([doc], 2 * SECOND)).toContain('self-wait');
  });

  it('that died in a queue leaves no orphan behind', () => {
    const lock = aLock('free', { formatId: 'qoder', queue: [aWaiter(A, { alive: false })] });
    const analysis = anAnalysis();
    analysis.codes([lock], 0);
    expect(analysis.codes([lock], 10 * SECOND)).not.toContain('orphan-queue');
    lock.queue = [aWaiter(A, { alive: false }), alive(B)];
    analysis.codes([lock], 11 * SECOND);
    expect(analysis.codes([lock], 20 * SECOND)).toContain('orphan-queue');
  });
});

describe('attempts over a limit', () => {
  const refused = (at: number, count: number) =>
    ({ kind: 'attempts-refused', at: START + at, db: 0, key: 'stormy', owner: A, count }) as const;

  it('are told with their number until a minute has passed without one', () => {
    const analysis = anAnalysis();
    analysis.observe([refused(0, 1)]);
    expect(analysis.judge([], SECOND)[0]).toMatchObject({
      code: 'retry-storm',
      count: 1,
      summary: `1 attempt refused because it was over a limit, 1 s ago, by ${A}`,
    });
    analysis.observe([refused(SECOND, 40)]);
    expect(analysis.judge([], 2 * SECOND)[0]?.summary).toContain('41 attempts refused within 2 s');
    expect(analysis.judge([], 62 * SECOND)).toEqual([]);
  });
});
