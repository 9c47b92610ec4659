import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { onBoth } from './store-under-test';

const ROUNDS = 20;
const ROOT = join(import.meta.dirname, '../../..');

onBoth('a killed console', (place) => {
  let program: string;

  // As the build does it: one bundle, and the worker copied beside it.
  beforeAll(async () => {
    const dir = join(ROOT, 'node_modules/.cache/lockscope-test', place.kind);
    await mkdir(dir, { recursive: true });
    program = join(dir, 'writer.js');
    await build({
      entryPoints: [join(import.meta.dirname, 'writer-process.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      alias: { '@': ROOT },
    });
    await copyFile(join(ROOT, 'server/store/sqlite-worker.mjs'), join(dir, 'sqlite-worker.mjs'));
  });

  it(`loses no acknowledged row in ${ROUNDS} kills, and the audit chain holds`, async () => {
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
    const store = open();
    await store.start();
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
  }, 120_000);
});

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
