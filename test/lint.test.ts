import { spawnSync } from 'node:child_process';
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
  const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '-f', 'unix', path], {
    cwd: folder,
    encoding: 'utf8',
  });
  await rm(file);
  return stdout;
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
