import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backend } from '@/server/store/backend';
import { compactionStep } from '@/server/store/compaction';
import { createDictionary } from '@/server/store/dictionary';
import { migrate } from '@/server/store/migrations';
import { readRollups } from '@/server/store/rollups-read';
import { createSeriesNames } from '@/server/store/series-names';
import { createSqliteBackend } from '@/server/store/sqlite-backend';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { writeRollups } from '@/server/store/write-pages';
import { aRollup } from './samples';

const HOUR_MS = 3_600_000;
const NOW = 10 * HOUR_MS;
const { tiers } = DEFAULT_RETENTION;

let folder: string;
let backend: Backend;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockscope-compaction-'));
  backend = createSqliteBackend(join(folder, 'history.db'));
  await backend.open();
  await migrate(backend, NOW);
  await backend.openReader();
});
afterAll(async () => {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
});

it('a step that comes while a later one is added up is in the longer steps, too', async () => {
  const dictionary = createDictionary(backend, () => NOW);
  const write = (step: number): Promise<void> =>
    writeRollups(
      { backend, dictionary, tiers, now: () => NOW },
      { rollups: [aRollup({ step, acquisitions: 1 })], blame: [] },
    );
  await write(9 * HOUR_MS);
  const earlier = [8.5 * HOUR_MS, 8.4 * HOUR_MS, 8.3 * HOUR_MS];
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const step = earlier.shift();
    if (step !== undefined) await write(step);
    return await work();
  };
  while (await compactionStep({ backend, tiers, now: NOW, inTurn }));
  expect(earlier).toEqual([]);
  for (const stepMs of [10_000, 60_000, 300_000, HOUR_MS]) {
    const range = { target: 'main', from: 8 * HOUR_MS, to: NOW, level: 'class' as const };
    const rows = await readRollups(
      { backend, names: createSeriesNames(), tiers },
      { ...range, stepMs, sketches: [] },
    );
    const acquisitions = rows.reduce((sum, row) => sum + row.acquisitions, 0);
    expect([stepMs, acquisitions]).toEqual([stepMs, 4]);
  }
});
