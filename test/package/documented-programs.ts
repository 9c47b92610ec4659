import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@/test/support/source-tree';

/** A program as a document prints it. */
export interface DocumentedProgram {
  /** Name of a file, without extension. */
  name: string;
  /** Its text, with the Redis of the documents replaced. */
  text: string;
  args: string[];
}

const ADDRESS = "'redis://:secret@127.0.0.1:6379/2'";
/** What is added to a program that runs until it is told to end. */
const END = "\nprocess.kill(process.pid, 'SIGTERM');\n";

const DOCUMENTS: Record<string, { args?: (url: string) => string[]; end?: string }> = {
  'README.md': {},
  'docs/exclusive-access.md': { args: () => ['LOG-20260612-7789', '10'] },
  'docs/segmented-stock.md': { args: (url) => [url] },
  'lib/lock/README.md': {},
  'lib/lock/hot-config/README.md': {},
  'lib/lock/stock/README.md': {},
  'lib/lock/task-runner/README.md': { end: END },
  'server/lock-provider/README.md': {},
};

/** Every block of TypeScript that a document for users of the package has. */
export async function documentedPrograms(redisUrl: string): Promise<DocumentedProgram[]> {
  const found = Object.entries(DOCUMENTS).map(async ([path, { args, end = '' }]) => {
    const page = await readFile(join(ROOT, path), 'utf8');
    const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, block]) => block ?? '');
    return blocks.map((block, at) => ({
      name: `${path.replace(/\.md$/, '').replaceAll('/', '-')}-${at + 1}`,
      text: block.replace(ADDRESS, JSON.stringify(redisUrl)) + end,
      args: args?.(redisUrl) ?? [],
    }));
  });
  return (await Promise.all(found)).flat();
}
