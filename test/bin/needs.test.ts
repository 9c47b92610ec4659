import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutTools } from '@/bin/commands/test/needs';
import { readSources, ROOT } from '@/test/support/source-tree';

const STEP = join(ROOT, 'bin', 'commands', 'test', 'tests.js');

let bare: string;
beforeAll(async () => {
  bare = await mkdtemp(join(tmpdir(), 'lockscope-path-'));
  await symlink(process.execPath, join(bare, 'node'));
});
afterAll(async () => await rm(bare, { recursive: true, force: true }));

interface Ran {
  totals: unknown;
  lines: string[];
}

/** Runs these tests as `npm test` does, where the PATH leads to Node and nothing else. */
async function runOnBarePath(files: string[], CI: string): Promise<Ran> {
  const script = `
    const { runTests } = await import(${JSON.stringify(STEP)});
    const totals = await runTests(${JSON.stringify(files)});
    process.stdout.write('totals ' + JSON.stringify(totals));`;
  const env = { PATH: bare, HOME: bare, NODE_ENV: 'test' as const, CI };
  // It ends with an error where the tests fail; what it printed says so.
  const stdout = await new Promise<string>((resolve) => {
    const args = ['--input-type=module', '-e', script];
    execFile(process.execPath, args, { cwd: ROOT, env }, (_error, printed) => resolve(printed));
  });
  const totals: unknown = JSON.parse(/totals (\{.*\})/.exec(stdout)?.[1] ?? 'null');
  return { totals, lines: stdout.split('\n').filter((line) => /^[↓✗] /.test(line)) };
}

const FILES = ['test/cases/keys.test.ts', 'test/lib/protocol/bytes.test.ts'];
const isSome = (count: number): boolean => count > 0;
const named = (tool: string): string[] =>
  withoutTools([tool]).map(({ file }: { file: string }) => file);

describe('on a machine without redis-server', () => {
  it('tests that reach it through other files are skipped by name, and the rest runs', async () => {
    const { totals, lines } = await runOnBarePath(FILES, '');
    expect(lines).toEqual(['↓ test/cases/keys.test.ts needs redis-server']);
    expect(totals).toMatchObject({ passed: expect.toSatisfy(isSome), failed: 0, skipped: 1 });
  });

  it('they are failures under CI=true', async () => {
    const { totals, lines } = await runOnBarePath(FILES, 'true');
    expect(lines).toEqual([]);
    expect(totals).toMatchObject({
      passed: expect.toSatisfy(isSome),
      failed: 1,
      skipped: 0,
      failures: ['test/cases/keys.test.ts needs redis-server'],
    });
  });
});

describe('the tests that need a tool', () => {
  it('are all that can start it, and no others', () => {
    const redis = named('redis-server');
    expect(redis).toEqual(
      expect.arrayContaining([
        'test/cases/release.test.ts',
        'test/e2e/demo.test.ts',
        'test/server/queries/queries.test.ts',
        'test/server/watch/watch.test.ts',
      ]),
    );
    expect(redis).not.toContain('test/server/store/holds.test.ts');
    expect(redis).not.toContain('test/architecture.test.ts');
    const starters = readSources().filter(
      ({ path, text }) => path.startsWith('test/') && /\bspawn\([^)]*'redis-server'/.test(text),
    );
    expect(starters.map(({ path }) => path)).toEqual(['test/support/redis-server.ts']);
  });

  it('are those of a language for the peer of its libraries', () => {
    const withPeer = named('node-peer');
    expect(withPeer).toContain('test/interop/node/redlock.test.ts');
    for (const file of withPeer) expect(file).toMatch(/^test\/interop\/node\//);
  });

  it('are those with a page for Chromium', () => {
    const withPages = named('chromium');
    expect(withPages).toContain('test/e2e/pages.test.ts');
    for (const file of withPages) expect(file).toMatch(/^test\/e2e\//);
  });
});
