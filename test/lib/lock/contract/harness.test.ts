import { describe, expect, it } from 'vitest';
import { MISTAKES, type Toy } from '@/test/support/lock-fleet/toy-locks';
import { torture, type TorturePlan, type Verdict } from '@/test/support/lock-fleet/torture';

const plan: Omit<TorturePlan, 'client'> = {
  program: 'toy-child',
  seed: 7,
  processes: 2,
  sections: 2_000,
  maxMs: 100_000,
  hasChaos: false,
  endsAtFault: true,
  loop: {
    workers: 4,
    names: ['a', 'b'],
    longHolds: { share: 0.02, maxMs: 250 },
    shares: { impatient: 0, aborted: 0, tries: 0, barging: 0, nested: 0 },
    waitMs: 10_000,
  },
};

const runToy = async (toy: Toy, more: Partial<TorturePlan> = {}): Promise<Verdict> =>
  await torture({ ...plan, ...more, client: { namespace: toy, ttlMs: 100, ...more.client } });

describe('the judgement of the fleet', () => {
  it.each(MISTAKES)('finds the mistake of a lock that is broken by %s', async (toy) => {
    const { record } = await runToy(toy);
    expect(record.accusations.length).toBeGreaterThan(0);
  });

  it('finds that somebody enters while a living holder is inside', async () => {
    const { overlaps } = await runToy('no-exclusion', { endsAtFault: false, sections: 200 });
    expect(overlaps.length).toBeGreaterThan(0);
  });

  it('finds nothing wrong with a lock that makes no mistake, killed and paused as it is', async () => {
    const verdict = await runToy('sound', {
      hasChaos: true,
      processes: 4,
      client: { ttlMs: 3_000 },
    });
    expect(verdict.kills + verdict.pauses).toBeGreaterThan(0);
    expect(verdict).toMatchObject({ overlaps: [], deaths: [], record: { accusations: [] } });
    expect(verdict.record.sections).toBeGreaterThan(100);
  });
});
