import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '@/test/support/source-tree';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockscope-lint-'));
  await cp(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** What lint says of a file at `path` that imports `specifier`. */
async function complaints(path: string, specifier: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(join(dirname(dirname(file)), 'repeat.ts'), 'export const it = 1;\n');
  await writeFile(file, `import { it } from '${specifier}';\n\nexport const same = it;\n`);
  const { stdout } = runLint(folder, path);
  await rm(file);
  return stdout;
}

function runLint(cwd: string, ...args: string[]): { stdout: string } {
  const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return spawnSync(process.execPath, [oxlint, '-f', 'unix', ...args], { cwd, encoding: 'utf8' });
}

const isComment = (line: string): boolean => /^\s*(\/\/|\/\*|\*)/.test(line);

/**
 * The casts (but `as const`) in these folders that have no reason: no comment right above the line, or above
 * the one before it, as over a function that is nothing but the cast.
 */
async function unexplainedCasts(cwd: string, ...folders: string[]): Promise<string[]> {
  const config = join(folder, 'casts.json');
  const rules = { 'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }] };
  await writeFile(
    config,
    JSON.stringify({ plugins: ['typescript'], categories: { correctness: 'off' }, rules }),
  );
  const { stdout } = runLint(cwd, '-c', config, ...folders);
  const places = [...stdout.matchAll(/^(.+?):(\d+):\d+: Do not use any type assertions/gm)];
  const unexplained = places.filter(([, path = '', line]) => {
    const lines = readFileSync(join(cwd, path), 'utf8').split('\n');
    const at = Number(line) - 1;
    return !lines.slice(Math.max(0, at - 2), at).some(isComment);
  });
  return unexplained.map(([, path, line]) => `${path}:${line}`);
}

describe('lint refuses', () => {
  it.each([
    'app/locks/page.tsx',
    'components/locks/view.tsx',
    'components/ui/view.tsx',
    'lib/formats/other.ts',
    'lib/live/other.ts',
    'lib/messages/other.ts',
    'lib/protocol/other.ts',
    'server/watch/other.ts',
    'test/server/other.ts',
  ])("an import from another folder without '@/' in %s", async (path) => {
    expect(await complaints(path, '../repeat')).toContain('no-relative-parent-imports');
    expect(await complaints(path, './repeat')).toBe('');
  });

  it.each([
    ['lib/formats/other.ts', 'ioredis'],
    ['lib/analysis/other.ts', 'ioredis'],
    ['lib/protocol/other.ts', 'ioredis'],
    ['lib/formats/other.ts', '@/server/repeat'],
    ['components/locks/view.tsx', '@/server/repeat'],
    ['server/watch/other.ts', '@/test/support/until'],
    ['components/ui/view.tsx', 'use-intl'],
  ])('in %s an import of %s', async (path, specifier) => {
    expect(await complaints(path, specifier)).toContain('no-restricted-imports');
  });
});

describe('an unchecked cast', () => {
  it('has its reason right above it', async () => {
    expect(await unexplainedCasts(ROOT, 'app', 'components', 'lib', 'server')).toEqual([]);
  });

  it('is seen where it has none', async () => {
    const file = join(folder, 'casts', 'some.ts');
    await mkdir(dirname(file), { recursive: true });
    const lines = [
      'export const a = JSON.parse(x) as A;',
      "export const b = { kind: 'b' as const };",
      '',
      '// The server answers this with a C.',
      'export const c = (await ask()) as unknown as C;',
    ];
    await writeFile(file, lines.join('\n'));
    expect(await unexplainedCasts(folder, 'casts')).toEqual(['casts/some.ts:1']);
  });
});
