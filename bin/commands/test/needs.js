import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../bootstrap/root.js';
import { HOW_TO_GET } from '../../bootstrap/tools.js';
import { say } from '../../bootstrap/say.js';

/** A test file needs a tool when it imports the support that starts it. */
const SUPPORT_OF = {
  'redis-server': /support\/(redis-server|console|demo)'/,
  chromium: /support\/browser'/,
};

/** The test files that cannot run without `tools`, as `{file, tool}`. */
export function withoutTools(tools) {
  if (tools.length === 0) return [];
  for (const tool of tools) say(HOW_TO_GET[tool]);
  const files = readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `test/${name.replaceAll('\\', '/')}`);
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const tool = tools.find((candidate) => SUPPORT_OF[candidate].test(source));
    return tool ? [{ file, tool }] : [];
  });
}
