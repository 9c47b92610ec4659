import { describe, expect, it } from 'vitest';
import { createRollupReader, type RollupParts } from '@/server/queries/rollup-reader';
import { createRecorder } from '@/server/store/recorder';
import type { Rollup, Store } from '@/server/store/store-contract';
import { aRollup } from '@/test/server/store/samples';
import { SQLITE } from '@/test/server/store/store-under-test';

const NOW = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const TARGET = 'main';

interface Asked {
  reads: number;
  /** Minutes of the ranges that were asked for. */
  minutes: number;
}

/** A reader on a real store of these rollups, and what it asks of it. */
async function readerOf(rollups: readonly Rollup[]) {
  const store = (await SQLITE.fresh()).open(() => NOW);
  await store.start();
  for (let at = 0; at < rollups.length; at += 10_000) {
    await store.writeRollups(rollups.slice(at, at + 10_000));
  }
  const asked: Asked = { reads: 0, minutes: 0 };
  const counted: Store = {
    ...store,
    rollups: (query) => {
      asked.reads++;
      asked.minutes += (query.to - query.from) / 60_000;
      return store.rollups(query);
    },
  };
  const now = () => NOW;
  const recorder = createRecorder({ store, target: TARGET, now });
  const reader = createRollupReader({ store: counted, recorder, targetId: TARGET, now });
  const read = (from: number, parts: RollupParts) => reader.read(from, NOW, parts);
  return { asked, read, stop: () => recorder.stop() };
}

const at = (step: number, name = 'a'): Rollup =>
  aRollup({ target: TARGET, step: Math.floor(step / 60_000) * 60_000, class: name });

describe('reading rollups of a range', () => {
  it.each([0, 1_600_000_000_000])(
    'looks no further back than there is history, asked from %d on',
    async (from) => {
      const rollups = [at(NOW - 2 * DAY_MS), at(NOW - DAY_MS / 2), at(NOW - 600_000)];
      const { asked, read, stop } = await readerOf(rollups);
      const answer = await read(from, 'sums-and-sketches');
      expect(answer).toMatchObject({ from });
      expect(answer.rollups.map(({ step }) => step)).toEqual(rollups.map(({ step }) => step));
      expect(asked.reads).toBeLessThan(20);
      expect(asked.minutes).toBeLessThan((2 * DAY_MS) / 60_000 + 5);
      await stop();
    },
  );

  it('looks nowhere when there is no history', async () => {
    const { asked, read, stop } = await readerOf([]);
    expect(await read(0, 'sums')).toEqual({ from: 0, rollups: [] });
    expect(asked.reads).toBe(1);
    await stop();
  });

  it('answers with the newest when there are too many, and says from when', async () => {
    const minutes = Array.from({ length: 70 }, (_, i) => NOW - 600_000 - i * 60_000);
    const rollups = minutes.flatMap((minute) =>
      Array.from({ length: 1600 }, (_, n) => at(minute, `class ${n}`)),
    );
    const { read, stop } = await readerOf(rollups);
    const first = Math.min(...rollups.map(({ step }) => step));
    const answer = await read(NOW - DAY_MS, 'sums-and-sketches');
    expect(answer.from).toBeGreaterThan(first);
    expect(answer.rollups.length).toBeLessThan(rollups.length);
    expect(answer.rollups.length).toBeGreaterThan(90_000);
    expect(Math.min(...answer.rollups.map(({ step }) => step))).toBeGreaterThanOrEqual(answer.from);
    await stop();
  });

  it('reads minutes that are over once', async () => {
    const { asked, read, stop } = await readerOf([at(NOW - 1_200_000), at(NOW - 600_000)]);
    await read(NOW - 3_600_000, 'sums');
    const reads = asked.reads;
    const again = await read(NOW - 3_600_000, 'sums');
    expect(again.rollups).toHaveLength(2);
    expect(asked.reads).toBe(reads + 1);
    await stop();
  });
});
