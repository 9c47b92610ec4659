import { expect, it } from 'vitest';
import { mixWithRedisson, type MixPlan } from '@/test/support/lock-fleet/redisson-mix';

/** `npm run torture -- --with redisson` asks for the full size; another seed is another order of events. */
const isFull = process.env.LOCKSCOPE_TORTURE === 'full';
const seed = Number(process.env.LOCKSCOPE_TORTURE_SEED ?? Date.now() % 100_000);
const size = isFull ? { sections: 100_000, maxMs: 900_000 } : { sections: 3_000, maxMs: 600_000 };

const plan: MixPlan = {
  seed,
  ...size,
  ours: { processes: 3, workers: 4 },
  theirs: { instances: 2, threads: 6 },
  namesOfEachKind: 2,
};

it(
  `processes of ours and threads of Redisson exclude each other on the same locks (seed ${seed})`,
  { timeout: size.maxMs + 60_000 },
  async () => {
    const { record, ...figures } = await mixWithRedisson(plan);
    const { ours, theirs, reentries, waits, deaths, tookMs } = figures;
    process.stdout.write(
      `${ours} sections of ours and ${JSON.stringify(theirs)} of Redisson in ${tookMs} ms, ${reentries} of its entered twice; its waits ${JSON.stringify(waits)}; ${JSON.stringify(record.counts)}\n`,
    );
    expect(record.accusations).toEqual([]);
    expect(record.overtakings).toEqual([]);
    expect(deaths).toEqual([]);
    expect(record.sections).toBeGreaterThanOrEqual(size.sections);
    const counts = [ours, ...Object.values(theirs)];
    expect(Math.min(...counts)).toBeGreaterThan(size.sections / 50);
    expect(Math.min(...Object.values(waits).map(({ count }) => count))).toBeGreaterThan(0);
  },
);
