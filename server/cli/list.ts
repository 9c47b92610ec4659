import type { Command } from 'commander';
import { formatTable } from '@/lib/formats';
import { listLocks } from './locks/list-locks';
import { listText } from './locks/list-text';
import { withLockView } from './locks/lock-view';
import { FINE } from './output';
import { group, usageError, wholeNumber, type CliContext } from './program';

interface Options {
  pattern?: string;
  format?: string;
  all: boolean;
  limit: number;
  maxKeys: number;
}

const DEFAULT_LIMIT = 200;
const DEFAULT_MAX_KEYS = 5_000_000;

/** `lock list`: every lock of every library that is there now. */
export function register(program: Command, context: CliContext): void {
  const formats = formatTable.formats.map(({ id }) => id);
  group(program, 'lock')
    .command('list')
    .description('the locks that are held or waited for now, of every library')
    .option('--pattern <glob>', 'only keys like this, or names behind the prefix')
    .option('--format <id>', `only locks of one library: ${formats.join(', ')}`)
    .option('--all', 'look at the value of every key, for locks with names of their own', false)
    .option('--limit <n>', 'show at most so many', wholeNumber(1, 100_000), DEFAULT_LIMIT)
    .option(
      '--max-keys <n>',
      'scan at most so many keys of a db',
      wholeNumber(1, 1_000_000_000_000),
      DEFAULT_MAX_KEYS,
    )
    .action(
      context.action(async ({ all, ...options }: Options) => {
        const { format } = options;
        if (format !== undefined && !formats.includes(format)) {
          throw usageError(`--format ${format} is none of ${formats.join(', ')}.`);
        }
        const settings = context.settings();
        const [listed, now] = await withLockView(settings, async (view) => {
          const found = await listLocks(view, settings, { ...options, everything: all });
          return [found, view.now()] as const;
        });
        context.output.result(listed, () => listText(listed, now));
        return FINE;
      }),
    );
}
