import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, it } from 'vitest';
import type { Store } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { bundledProcess } from './bundled-process';
import { onBoth } from './store-under-test';

const ROUNDS = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

onBoth('a killed console', (place) => {
  let program: string;

  beforeAll(async () => {
    program = await bundledProcess('writer-process', place.kind);
  });

  it(`loses no acknowledged row in ${ROUNDS} kills and tells none twice, and the audit chain holds`, async () => {
    const { open, dataDir, databaseUrl } = await place.fresh();
    const acknowledged: number[] = [];
    let lastSeq = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const lines = await runAndKill([program, dataDir, databaseUrl ?? '', `${round}`], 3 + round);
      const [count, seq] = lines.at(-1) ?? [];
      acknowledged.push((count ?? 0) + 1);
      expect(seq).toBeGreaterThan(lastSeq);
      lastSeq = seq ?? 0;
    }
    const store = open(() => 10_000_000 + DAY_MS);
    await store.start();
    await expectEachOnce(store, acknowledged);
    for (const [round, count] of acknowledged.entries()) {
      for (const n of [0, 7, 19]) {
        const rows = await store.holds({ key: `${round}:${n}`, limit: 10_000 });
        const generations = new Set(rows.map(({ past }) => past.generation));
        for (let i = 0; i < count; i++) expect(generations.has(i)).toBe(true);
      }
    }
    const { entries, brokenAt } = await store.verifyAudit();
    expect(brokenAt).toBeNull();
    expect(entries).toBeGreaterThanOrEqual(lastSeq);
    await until(
      'all longer steps are built',
      async () =>
        (await store.kept()).tiers.slice(1).every(({ built }) => (built ?? 0) > DAY_MS / 2),
      90_000,
    );
    await expectEachOnce(store, acknowledged);
  }, 600_000);
});

/** Every acknowledged sum is there, whatever steps tell it by now, and none more than once. */
async function expectEachOnce(store: Store, acknowledged: readonly number[]): Promise<void> {
  const range = { target: 'main', from: 0, to: 10_000_000 + DAY_MS };
  for (const level of ['class', 'lock'] as const) {
    const rows = await store.rollups({ ...range, level, stepMs: null, sketches: [] });
    const counts = new Map(rows.map((row) => [row.class, row.acquisitions]));
    expect(new Set(counts.values())).toEqual(new Set([1]));
    for (const [round, count] of acknowledged.entries()) {
      for (let i = 0; i < count; i++) expect(counts.get(`${round}:${i}`)).toBe(1);
    }
  }
  const blamed = await store.blame(range);
  expect(new Set(blamed.map(({ waiterMs }) => waiterMs))).toEqual(new Set([1]));
  expect(blamed.length).toBeGreaterThanOrEqual(acknowledged.reduce((sum, count) => sum + count, 0));
}

/** The numbers the program printed before it was killed, at a moment after `lines` lines. */
async function runAndKill(args: string[], lines: number): Promise<number[][]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  await exited;
  const complete = text.slice(0, text.lastIndexOf('\n'));
  return complete.split('\n').map((line) => line.split(' ').map(Number));
}
