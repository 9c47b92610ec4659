import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, aTable, aTarget, aWaiter, inWords, START } from '@/test/support/records';

const SECOND = 1000;

function anAnalysis() {
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  return {
    chains: analysis.chains,
    judge: (locks: readonly LockRecord[], now: number) =>
      inWords(analysis.findings(aTable(locks), aTarget(), now)).filter(
        ({ code }) => code === 'blocking-chain',
      ),
  };
}

const held = (key: string, holder: string, ...queue: string[]): LockRecord =>
  aLock(key, {
    formatId: 'redisson-fair',
    hold: aHold(holder, { deadline: START + 60 * SECOND }),
    queue: queue.map((owner, i) => aWaiter(owner, { since: START + (i + 1) * SECOND })),
  });

/** A holds up B, C and D, who waits for B. */
const chain = () => [held('x', 'A', 'B', 'C'), held('y', 'B', 'D')];

describe('a blocking chain', () => {
  it('is told after ten seconds, with its root, how many it holds up and how deep', () => {
    const analysis = anAnalysis();
    expect(analysis.judge(chain(), START + 5 * SECOND)).toEqual([]);
    const [found, ...others] = analysis.judge(chain(), START + 15 * SECOND);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'warning',
      since: START + 5 * SECOND,
      count: 3,
      subject: { kind: 'lock', label: 'x' },
      summary:
        'A waits for nobody and holds up 3 owners, 2 of them one behind the other; the oldest wait is 14 s old',
    });
    expect(found?.remedy).toContain('Releasing x lets 3 owners go on; otherwise its lease ends at');
  });

  it('is one incident while its root and locks are the same, and ends with the wait', () => {
    const analysis = anAnalysis();
    analysis.judge(chain(), START + 5 * SECOND);
    const [first] = analysis.judge(chain(), START + 15 * SECOND);
    const [x, y] = chain();
    const grown = [x && { ...x, queue: [...x.queue, aWaiter('E')] }, y].filter((lock) => !!lock);
    const [second] = analysis.judge(grown, START + 20 * SECOND);
    expect([second?.id, second?.count]).toEqual([first?.id, 4]);
    expect(analysis.judge(y ? [y] : [], START + 21 * SECOND)).toEqual([]);
  });

  it('is none in a queue for one lock, nor in a short chain, nor before it lasted', () => {
    const analysis = anAnalysis();
    const queue = [held('x', 'A', 'B', 'C', 'D', 'E')];
    const short = [held('x', 'A', 'B'), held('y', 'B', 'C')];
    for (const locks of [queue, short]) {
      analysis.judge(locks, START);
      expect(analysis.judge(locks, START + 20 * SECOND)).toEqual([]);
    }
    // Gone for a moment it begins anew.
    analysis.judge(chain(), START + 30 * SECOND);
    analysis.judge([], START + 35 * SECOND);
    expect(analysis.judge(chain(), START + 41 * SECOND)).toEqual([]);
  });

  it('is listed from the first wait on, with each wait behind the one it follows', () => {
    const analysis = anAnalysis();
    analysis.judge([...chain(), held('z', 'F', 'G')], START + 5 * SECOND);
    const chains = analysis.chains(START + 5 * SECOND);
    expect(chains.map(({ root, blocked, depth }) => [root, blocked, depth])).toEqual([
      ['A', 3, 2],
      ['F', 1, 1],
    ]);
    expect(chains[0]).toMatchObject({
      holds: [{ db: 0, key: 'x', since: START, deadline: START + 60 * SECOND, renewed: false }],
      since: START + SECOND,
      evidence: 'observed',
      waits: [
        { owner: 'B', lock: { key: 'x' }, behind: null, depth: 1 },
        { owner: 'C', lock: { key: 'x' }, behind: null, depth: 1 },
        { owner: 'D', lock: { key: 'y' }, behind: 0, depth: 2 },
      ],
    });
  });
});
