import type { Command } from 'commander';
import { debugReport } from './locks/debug-report';
import { debugText } from './locks/debug-text';
import { DB_OPTION, inDb } from './locks/db-option';
import { findLock } from './locks/find-lock';
import { withLockView } from './locks/lock-view';
import { FINE } from './output';
import { group, type CliContext } from './program';

/** `lock debug`: who holds a lock, since when, for how much longer, and who waits. */
export function register(program: Command, context: CliContext): void {
  group(program, 'lock')
    .command('debug')
    .description('who holds a lock, how much of its lease is left, and who waits for it')
    .requiredOption('--key <name>', 'name of the lock, like order:7, or its whole key')
    .option(...DB_OPTION)
    .action(
      context.action(async ({ key, db }: { key: string; db?: number }) => {
        const settings = inDb(context.settings(), db);
        const report = await withLockView(settings, async (view) =>
          debugReport(view, await findLock(view, settings, key), key),
        );
        context.output.result(report, () => debugText(report));
        return FINE;
      }),
    );
}
