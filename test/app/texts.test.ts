import { describe, expect, it } from 'vitest';
import { en } from '@/lib/messages/en';
import { readSources, withoutComments, type SourceFile } from '@/test/support/source-tree';

const withoutExtension = (path: string): string => path.replace(/\.\w+$/, '');
const sources = new Map(readSources().map((file) => [withoutExtension(file.path), file]));
const sourceOf = (path: string): SourceFile | undefined =>
  sources.get(path) ?? sources.get(`${path}/index`);

/** The file, and the components that it loads, at once or late. */
function reachedFrom(entry: string): SourceFile[] {
  const found = new Set<SourceFile>();
  const visit = (path: string): void => {
    const file = sourceOf(path);
    if (!file || found.has(file) || !/^(app|components)\//.test(file.path)) return;
    found.add(file);
    for (const { to, typeOnly } of file.imports) if (!typeOnly) visit(to);
  };
  visit(entry);
  return [...found];
}

const SECTION_USED = /\buse(?:Translations\(\s*'|Messages\(\)\.)(\w+)/g;
const LIST_OF_SECTIONS = /(?:\bof=\{|: Section\[\] = )\[([^\]]*)\]/g;

const matches = (text: string, pattern: RegExp): string[] =>
  [...withoutComments(text).matchAll(pattern)].map((match) => match[1] ?? '');

const usedFrom = (entry: string): Set<string> =>
  new Set(reachedFrom(entry).flatMap(({ text }) => matches(text, SECTION_USED)));

const givenIn = (entry: string): string[] =>
  matches(sourceOf(entry)?.text ?? '', LIST_OF_SECTIONS).flatMap((list) =>
    matches(list, /'(\w+)'/g),
  );

/** The layouts around a page or a layout, from the root. */
function layoutsOf(entry: string): string[] {
  const folders = entry.split('/').slice(0, -1);
  return folders
    .map((_, depth) => `${folders.slice(0, depth + 1).join('/')}/layout`)
    .filter((layout) => layout !== entry && sources.has(layout));
}

const entries = [...sources.keys()].filter((path) =>
  /^app\/(?!api\/|gallery\/)(.*\/)?(page|layout|error|not-found)$/.test(path),
);

describe('the texts that travel with a page', () => {
  it.each(entries)('%s is given each section that it says', (entry) => {
    const given = [...layoutsOf(entry), entry].flatMap(givenIn);
    expect([...usedFrom(entry)].filter((section) => !given.includes(section))).toEqual([]);
  });

  it.each(entries.filter((entry) => entry.endsWith('/page')))(
    '%s is given no section that it does not say, or twice',
    (entry) => {
      const used = usedFrom(entry);
      const known = layoutsOf(entry).flatMap(givenIn);
      const idle = givenIn(entry).filter((name) => !used.has(name) || known.includes(name));
      expect(idle).toEqual([]);
    },
  );

  it('are the whole catalogue together', () => {
    const given = new Set(entries.flatMap(givenIn));
    expect(Object.keys(en).filter((section) => !given.has(section))).toEqual([]);
  });

  it('are in no script: a component imports types of the catalogue and what renders it', () => {
    const wrong = [...sources.values()]
      .filter(
        ({ path }) => path.startsWith('components/') && !path.startsWith('components/gallery/'),
      )
      .filter(({ path }) => path !== 'components/texts/texts.tsx')
      .flatMap(({ path, imports }) => imports.map((found) => ({ path, ...found })))
      .filter(
        ({ to, typeOnly }) =>
          !typeOnly && /^lib\/messages(\/en(\/.*)?|\/in-english|\/index)?$/.test(to),
      );
    expect(wrong.map(({ path, to }) => `${path} imports ${to}`)).toEqual([]);
  });
});
