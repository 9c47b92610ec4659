import type { Command } from 'commander';
import { followLocks } from './locks/follow-locks';
import { lineText } from './locks/line-text';
import { printable } from './output';
import { selectLocks } from './locks/watch-selection';
import { FINE } from './output';
import { group, usageError, type CliContext } from './program';

interface Options {
  key?: string;
  pattern?: string;
  all: boolean;
}

/** `lock watch`: a line for everything that happens to locks, until it is interrupted. */
export function register(program: Command, context: CliContext): void {
  group(program, 'lock')
    .command('watch')
    .description('follow locks live: a line for each change, until Ctrl-C')
    .option('--key <name>', 'one lock, by its name, like order:7, or its whole key')
    .option('--pattern <glob>', 'only keys like this, or names behind the prefix')
    .option('--all', 'renewals and changes of depth too', false)
    .action(
      context.action(async ({ all, ...wanted }: Options) => {
        if (wanted.key !== undefined && wanted.pattern !== undefined) {
          throw usageError('--key and --pattern exclude each other.');
        }
        const settings = context.settings();
        const { output } = context;
        await followLocks({
          settings,
          selection: selectLocks(settings, wanted),
          all,
          signal: context.interrupted(),
          onLine: (line) => output.line(line, () => printable(lineText(line))),
          onSight: (blind) => {
            if (blind.length === 0) output.note('following; every change is announced by Redis.');
            for (const { message, remedy } of blind) output.note(`${message} ${remedy}`);
          },
        });
        return FINE;
      }),
    );
}
