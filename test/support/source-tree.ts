import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** Path from the root with forward slashes. */
  path: string;
  text: string;
  /** What it imports: files of this project as paths from the root without extension, packages as they are. */
  imports: { to: string; typeOnly: boolean }[];
}

const FOLDERS = ['app', 'components', 'lib', 'server', 'bin', 'test'];
const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/g;

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  if (!specifier.startsWith('.')) return specifier;
  return posix.normalize(posix.join(dirname(from), specifier));
}

function readImports(path: string, text: string): SourceFile['imports'] {
  return [...text.matchAll(IMPORT)].map((match) => ({
    to: resolveImport(path, match[3] ?? match[4] ?? ''),
    typeOnly: match[2] !== undefined,
  }));
}

/** Every source file of the project. */
export function readSources(): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path))
      .filter((path) => !path.startsWith('test/results/')),
  ).map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, imports: readImports(path, text) };
  });
}

/** Removes comments, so that a search finds code only. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');
}
