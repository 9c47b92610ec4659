import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readSources, withoutComments, type SourceFile } from '@/test/support/source-tree';

const sources = readSources();
const under = (...folders: string[]): SourceFile[] =>
  sources.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));

/** In flow order: a stage may import itself and the earlier ones. */
const STAGES = [
  'redis',
  'watch',
  'state',
  'analysers',
  'alerts',
  'store',
  'notify',
  'libraries',
  'queries',
  'metrics',
  'actions',
  'auth',
  'socket',
];
/** Types and pure predicates that describe a stage to the others. */
const OPEN_TO_ALL = [
  /-contract$/,
  /^server\/watch\/observation$/,
  /^server\/state\/(change|lock-record)$/,
  /^server\/analysers\/finding$/,
  /^server\/auth\/actor$/,
  /^server\/queries\/query-context$/,
  /^server\/config$/,
  /^server\/runtime-handle$/,
];
const SHARED_AREAS = ['ui', 'hooks', 'live', 'labels', 'forms', 'charts', 'pins'];

function importsOf(files: SourceFile[]): { from: string; to: string; typeOnly: boolean }[] {
  return files.flatMap(({ path, imports }) => imports.map((found) => ({ from: path, ...found })));
}

const show = ({ from, to }: { from: string; to: string }): string => `${from} imports ${to}`;

function linesWith(files: SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}

describe('who may import whom', () => {
  it('lets a server stage import earlier stages only', () => {
    const stageOf = (path: string): number => STAGES.indexOf(path.split('/')[1] ?? '');
    const wrong = importsOf(under('server'))
      .filter(({ from }) => stageOf(from) >= 0)
      .filter(({ to }) => to.startsWith('server/') && !OPEN_TO_ALL.some((open) => open.test(to)))
      .filter(({ from, to }) => stageOf(to) < 0 || stageOf(to) > stageOf(from));
    expect(wrong.map(show)).toEqual([]);
  });

  it('keeps component areas apart', () => {
    const areaOf = (path: string): string => path.split('/')[1] ?? '';
    const wrong = importsOf(under('components'))
      .filter(({ from }) => areaOf(from) !== 'gallery')
      .filter(({ to }) => to.startsWith('components/'))
      .filter(({ from, to }) => areaOf(from) !== areaOf(to) && !SHARED_AREAS.includes(areaOf(to)));
    expect(wrong.map(show)).toEqual([]);
  });

  it('lets components/ui know React and no domain word', () => {
    const allowed =
      /^(react(-dom)?(\/|$)|@base-ui\/|clsx$|lucide-react$|next\/link$|components\/ui\/)/;
    const wrong = importsOf(under('components/ui')).filter(({ to }) => !allowed.test(to));
    expect(wrong.map(show)).toEqual([]);
  });

  it('lets lib/protocol know zod and lib only', () => {
    const wrong = importsOf(under('lib/protocol')).filter(({ to }) => !/^(zod$|lib\/)/.test(to));
    expect(wrong.map(show)).toEqual([]);
  });

  it('keeps lib free of React, server and components', () => {
    const wrong = importsOf(under('lib')).filter(({ to }) =>
      /^(app|components|server|test|react|next)(\/|-dom|$)/.test(to),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('lets pages reach the server through the runtime handle only', () => {
    const wrong = importsOf(under('app', 'components')).filter(
      ({ to, typeOnly }) =>
        to.startsWith('server/') &&
        to !== 'server/runtime-handle' &&
        !(typeOnly && to === 'server/auth/actor'),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('keeps the schemas and their library out of the pages', () => {
    // Settings checks a form with them, who opens a file fetches them then, and the gallery is not part of the console.
    const mayLoad = /^components\/(settings\/|gallery\/|graph\/files\/open-file)/;
    const free = [
      'lib/protocol/closed-sets',
      'lib/protocol/reason',
      'lib/protocol/errors',
      'lib/protocol/bytes',
      'lib/protocol/time',
      'lib/protocol/owner-id',
      'lib/protocol/heat-cells',
    ];
    const files = [
      ...under('components', 'lib/live', 'lib/messages').filter(({ path }) => !mayLoad.test(path)),
      ...sources.filter(({ path }) => free.some((name) => path === `${name}.ts`)),
    ];
    const wrong = importsOf(files).filter(
      ({ to, typeOnly }) =>
        !typeOnly && (to === 'zod' || to.startsWith('lib/protocol/')) && !free.includes(to),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('links pages by PageLink, which fetches nothing ahead unasked', () => {
    const wrong = importsOf(under('app', 'components')).filter(
      ({ from, to }) => to === 'next/link' && from !== 'components/ui/page-link.tsx',
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('lets nobody import test', () => {
    const wrong = importsOf(under('app', 'components', 'lib', 'server', 'bin')).filter(({ to }) =>
      to.startsWith('test/'),
    );
    expect(wrong.map(show)).toEqual([]);
  });
});

describe('what code may reach for', () => {
  it('reads the environment in server/config.ts only', () => {
    const files = under('app', 'components', 'lib', 'server').filter(
      ({ path }) => path !== 'server/config.ts',
    );
    // Next replaces NODE_ENV while it builds the pages; it is a constant there and no setting.
    const found = linesWith(files, /process\.env(?!\.NODE_ENV)/);
    expect(found).toEqual([]);
  });

  it('has no clock in the pure folders', () => {
    const files = under('lib/analysis', 'server/state', 'server/analysers', 'server/alerts');
    expect(
      linesWith(files, /Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|performance\.now\(/),
    ).toEqual([]);
  });

  it('never asks Redis for KEYS', () => {
    const command = /\b(redis|client|connection|pipeline|commands)\w*(\(\))?\.keys(Buffer)?\(/;
    const called = /\b(call|callBuffer|sendCommand|Command)\(\s*['"`]keys['"`]/i;
    const scripted = /redis\.p?call\(\s*['"]keys['"]/i;
    const files = under('app', 'lib', 'server');
    expect(
      linesWith(files, new RegExp([command, called, scripted].map((p) => p.source).join('|'), 'i')),
    ).toEqual([]);
  });

  it('keeps no changing state at module level', () => {
    const files = under('app', 'components', 'lib', 'server').filter(({ path }) =>
      /\.tsx?$/.test(path),
    );
    expect(linesWith(files, /^(export )?let /)).toEqual([]);
  });

  it('has no enums, no unchecked any, no todo', () => {
    const files = under('app', 'components', 'lib', 'server');
    expect(linesWith(files, /^(export )?(const )?enum |\bas any\b|: any\b/)).toEqual([]);
    const notes = files.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text));
    expect(notes.map(({ path }) => path)).toEqual([]);
  });
});

describe('shape', () => {
  it('has no source file of more than 400 lines', () => {
    const long = sources
      .map(({ path, text }) => ({ path, lines: text.split('\n').length }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it('names no file after a drawer', () => {
    const drawers = /(^|\/)(utils?|helpers?|common|misc|manager)(\/|\.|$)/;
    expect(sources.map(({ path }) => path).filter((path) => drawers.test(path))).toEqual([]);
  });
});

describe('documents', () => {
  const IGNORED = /^(dist|data|\.next|\.git|test\/results)(\/|$)|(^|\/)node_modules(\/|$)/;
  const documents = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !IGNORED.test(name))
    .filter((name) => /(^|\/)(README|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(name));

  /** Paths in links and in backticks that look like files or folders of this project. */
  function citedPaths(text: string): string[] {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path]) => path ?? '');
    const ticks = [
      ...text.matchAll(/`((?:app|bin|components|config|docs|lib|server|test|public)\/[^`\s]*)`/g),
    ].map(([, path]) => `/${path ?? ''}`);
    return [...links, ...ticks].filter((path) => !/^[a-z]+:/.test(path) && !/[*<>…{}]/.test(path));
  }

  it.each(documents)('%s cites only paths that exist', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const missing = citedPaths(text).filter((path) => {
      const base = path.startsWith('/') ? ROOT : join(ROOT, dirname(name));
      return !existsSync(join(base, path));
    });
    expect(missing).toEqual([]);
  });
});
