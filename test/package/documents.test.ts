import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '@/lib/protocol/openapi';
import { loadCommands } from '@/server/cli/index';
import type { CliContext } from '@/server/cli/program';
import { ROOT } from '@/test/support/source-tree';

const read = async (path: string): Promise<string> => await readFile(join(ROOT, path), 'utf8');

/** `{ command: 'lock list', flags: ['--all', …] }` for every command, as they register themselves. */
async function registered(): Promise<{ command: string; flags: string[] }[]> {
  const program = new Command();
  const context = { action: () => async () => undefined };
  for (const register of await loadCommands([]))
    register(program, context as unknown as CliContext);
  const all = program.commands.flatMap((outer) =>
    outer.commands.length === 0
      ? [{ command: outer.name(), inner: outer }]
      : outer.commands.map((inner) => ({ command: `${outer.name()} ${inner.name()}`, inner })),
  );
  return all.map(({ command, inner }) => ({
    command,
    flags: inner.options.map(({ long }) => long ?? '').toSorted(),
  }));
}

describe('docs/command-line.md', () => {
  it('has a section for every command, with its options and no others', async () => {
    const page = await read('docs/command-line.md');
    const sections = page.split(/^## /m).slice(1);
    const told = (await registered()).map(({ command }) => {
      const section = sections.find((text) => new RegExp(`^\`${command}( --[^\`]*)?\``).test(text));
      const rows = [...(section ?? '').matchAll(/^\| (`--.*?) \|/gm)].map(([, cell]) => cell ?? '');
      const flags = rows.flatMap((cell) => [...cell.matchAll(/`(--[a-z-]+)/g)].map(([, f]) => f));
      return { command, flags: flags.toSorted() };
    });
    expect(told).toEqual(await registered());
  });
});

describe('the errors of the lock client', () => {
  it('are all told in the READMEs of lib/lock', async () => {
    const union = /type LockErrorCode =([^;]*);/.exec(await read('lib/lock/errors.ts'))?.[1] ?? '';
    const codes = [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(10);
    const pages = ['.', 'stock', 'task-runner', 'hot-config'].map((name) =>
      read(join('lib/lock', name, 'README.md')),
    );
    const rows = (await Promise.all(pages)).join('\n').match(/^\|.*\|$/gm) ?? [];
    const first = rows.map((row) => row.split('|')[1] ?? '').join(' ');
    expect(codes.filter((code) => !first.includes(code))).toEqual([]);
  });
});

describe('the settings', () => {
  it('are all told in the README and in .env.example', async () => {
    const source = (await read('server/config.ts')) + (await read('server/config-file.ts'));
    const names = [...new Set(source.match(/\bLOCKSCOPE_[A-Z_]+\b/g))].toSorted();
    expect(names.length).toBeGreaterThan(10);
    for (const document of ['README.md', '.env.example']) {
      const text = await read(document);
      expect({ document, missing: names.filter((name) => !text.includes(name)) }).toEqual({
        document,
        missing: [],
      });
    }
  });
});

describe('the addresses of the interface for programs', () => {
  it('stand in the documents as they are', async () => {
    const inDocs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
    const documents = ['README.md', ...inDocs.map((name) => join('docs', name))];
    const told = await Promise.all(
      documents.map(async (document) =>
        [...(await read(document)).matchAll(/\/api\/v1(\/[\w./{}-]+)/g)].map(
          ([, address = '']) => ({
            document,
            address,
          }),
        ),
      ),
    );
    const known = Object.keys(openApiDocument()['paths'] as object);
    expect(told.flat().length).toBeGreaterThan(10);
    expect(told.flat().filter(({ address }) => !known.includes(address))).toEqual([]);
  });
});
