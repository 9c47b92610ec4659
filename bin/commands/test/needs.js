import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS } from '../../bootstrap/interop/index.js';
import { HOW_TO_GET } from '../../bootstrap/tools.js';
import { ROOT } from '../../bootstrap/root.js';
import { say } from '../../bootstrap/say.js';
import { readImports } from './imports.js';

/** A test file needs a tool when it imports, over however many files, the support that starts it. */
const STARTED_BY = {
  'redis-server': ['test/support/redis-server', 'test/support/demo'],
  chromium: ['test/support/browser'],
  java: ['test/support/lock-fleet/redisson-peer'],
  'redis-server 6.2': ['test/support/old-redis'],
  ...Object.fromEntries(Object.entries(PEERS).map(([tool, { started }]) => [tool, [started]])),
};

const howToGet = (tool) => PEERS[tool]?.howToGet ?? HOW_TO_GET[tool];

/** Source files under test/ by their path without extension; `index` files also by their folder's. */
function readSources() {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('/node_modules/'));
  const sources = new Map();
  for (const name of names) {
    const module = name.replace(/\.tsx?$/, '');
    const text = readFileSync(join(ROOT, name), 'utf8');
    const imports = readImports(name, text).filter(({ typeOnly }) => !typeOnly);
    const source = { name, imports: imports.map(({ to }) => to) };
    sources.set(module, source);
    if (module.endsWith('/index')) sources.set(module.slice(0, -'/index'.length), source);
  }
  return sources;
}

/** The modules that importing `module` loads, itself included, as far as they are in `sources`. */
function loadedBy(module, sources) {
  const loaded = new Set();
  const open = [module];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (loaded.has(next)) continue;
    loaded.add(next);
    open.push(...(sources.get(next)?.imports ?? []).filter((to) => sources.has(to)));
  }
  return loaded;
}

/** Every test file, by its path from the root. */
export const testFiles = () =>
  [...new Set([...readSources().values()].map(({ name }) => name))].filter((name) =>
    /\.test\.tsx?$/.test(name),
  );

/** The test files that cannot run without `tools`, as `{file, tool}`, and says how to get those. */
export function withoutTools(tools) {
  for (const tool of tools) say(howToGet(tool));
  return needing(tools);
}

/** The test files that need one of these tools, as `{file, tool}`. */
export function needing(tools) {
  if (tools.length === 0) return [];
  const sources = readSources();
  return [...sources].flatMap(([module, { name }]) => {
    if (!module.endsWith('.test')) return [];
    const loaded = loadedBy(module, sources);
    const tool = tools.find((each) => STARTED_BY[each].some((support) => loaded.has(support)));
    return tool ? [{ file: name, tool }] : [];
  });
}
