import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readImports } from '@/bin/commands/test/imports';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** Path from the root with forward slashes. */
  path: string;
  text: string;
  /** What it imports: files of this project as paths from the root without extension, packages as they are. */
  imports: { to: string; typeOnly: boolean }[];
}

const FOLDERS = ['app', 'components', 'lib', 'server', 'bin', 'test'];

/** Every source file of the project. */
export function readSources(): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path))
      .filter(
        (path) => !path.startsWith('test/results/') && !/\/(?:node_modules|\.[^/]+)\//.test(path),
      ),
  ).map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, imports: readImports(path, text) };
  });
}

/** Removes comments, so that a search finds code only. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');
}
