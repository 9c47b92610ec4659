import { hostname, userInfo } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import { formatTable } from '@/lib/formats';
import { printableText } from '@/lib/protocol/bytes';
import { isReason, MIN_REASON } from '@/lib/protocol/reason';
import type { Settings } from '@/server/config';
import { canAsk, confirm } from './locks/confirm';
import { findConsole, type ConsoleClient } from './locks/console-client';
import { DB_OPTION, inDb } from './locks/db-option';
import { debugReport, type DebugReport } from './locks/debug-report';
import { debugText } from './locks/debug-text';
import { releasableOf, releaseDirectly, type Released } from './locks/direct-release';
import { findLock, type Found } from './locks/find-lock';
import { withLockView, type LockView } from './locks/lock-view';
import { describeOwner } from './locks/shown-lock';
import { FINE, WRONG, type ExitCode } from './output';
import { group, usageError, type CliContext } from './program';

interface Options {
  key: string;
  reason: string;
  businessId?: string;
  db?: number;
  yes: boolean;
}

/** `lock release`: takes a lock from its holder, if it is still the one that was shown, and records it. */
export function register(program: Command, context: CliContext): void {
  group(program, 'lock')
    .command('release')
    .description('take a lock from its holder, wake who waits, and record it in the audit')
    .requiredOption('--key <name>', 'name of the lock, like order:7, or its whole key')
    .requiredOption('--reason <text>', 'why, for the audit', reason)
    .option(
      '--business-id <id>',
      'the order or ticket this is for; default: what the hold is for',
      shortText,
    )
    .option(...DB_OPTION)
    .option('--yes', 'do not ask', false)
    .action(
      context.action(async (options: Options) => {
        if (!options.yes && !canAsk()) {
          throw usageError('There is no terminal to ask for a confirmation: give --yes.');
        }
        const settings = inDb(context.settings(), options.db);
        return await withLockView(settings, (view) =>
          release(context, { view, settings, options }),
        );
      }),
    );
}

const MAX_TEXT = 500;

function shortText(text: string): string {
  return printableText(text).slice(0, MAX_TEXT);
}

function reason(text: string): string {
  if (isReason(text)) return shortText(text.trim());
  throw new InvalidArgumentError(`It must have at least ${MIN_REASON} visible characters.`);
}

interface Parts {
  view: LockView;
  settings: Settings;
  options: Options;
}

async function release(context: CliContext, parts: Parts): Promise<ExitCode> {
  const { view, settings, options } = parts;
  const seen = await look(parts);
  const { found } = seen;
  const shown = releasableOf(found);
  const report = await debugReport(view, found, options.key);
  if (!options.yes) {
    process.stderr.write(`${debugText(report)}\n\n`);
    process.stderr.write('The holder is not stopped: it may go on working on what it locked.\n');
    if (!(await confirm('Release it?'))) {
      context.output.note('Nothing was changed.');
      return WRONG;
    }
  }
  const businessId = options.businessId ?? report.businessId;
  const released = seen.byConsole
    ? await releaseByConsole(seen.byConsole, found, { reason: options.reason, businessId })
    : await releaseDirectly(view, settings, {
        shown,
        request: {
          reason: options.reason,
          businessId,
          actor: actorName(),
          warn: context.output.note,
        },
      });
  const result = { key: report.key, db: report.db, holder: report.holder, ...released };
  context.output.result(result, () => releasedText(report, released));
  return released.cameBack ? WRONG : FINE;
}

interface Seen {
  found: Found;
  /** The console that will release it, and the version that it must still have then. */
  byConsole: { client: ConsoleClient; version: string } | null;
}

const AGREES_WITHIN_MS = 2000;
const LOOK_EVERY_MS = 50;

/**
 * The lock as it is, and as the console sees it where one runs: first the console's, so that what is shown is
 * never older than the version that the release repeats.
 */
async function look({ view, settings, options }: Parts): Promise<Seen> {
  const client = await findConsole(settings);
  const end = view.now() + AGREES_WITHIN_MS;
  for (;;) {
    const first = await findLock(view, settings, options.key);
    const hold = client && (await client.holdOf(first.db, first.key));
    const found = { ...first, ...(await view.readNow(first.db, first.key)) };
    const owner = found.record?.hold?.owner?.id;
    if (!client || !owner) return { found, byConsole: null };
    if (hold?.owner === owner) return { found, byConsole: { client, version: hold.version } };
    // A db or a key that the console does not watch: recorded by ourselves, in the same audit.
    if (view.now() >= end) return { found, byConsole: null };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function releaseByConsole(
  { client, version }: NonNullable<Seen['byConsole']>,
  { db, key }: Found,
  { reason: why, businessId }: { reason: string; businessId: string | null },
): Promise<Released> {
  const body = { version, reason: why, ...(businessId !== null && { businessId }) };
  const { outcome, wokeWaiters, cameBack, watchedForMs } = await client.release(db, key, body);
  return { outcome, wokeWaiters, cameBack, watchedForMs, recordedBy: 'console' };
}

/** Who is logged in here, where the system tells. */
function actorName(): string {
  return `cli:${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a number that no name belongs to.
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** A signal in a list wakes somebody, and Redis does not say whom. */
const uncountedText = (lock: DebugReport['lock']): string =>
  lock && formatTable.byId(lock.format).wake
    ? 'a wake-up was sent, which Redis does not count'
    : 'its library has nobody to wake';

function releasedText(
  { key, holder, lock }: DebugReport,
  { wokeWaiters, cameBack, recordedBy }: Released,
): string {
  const from = holder ? ` from ${describeOwner({ id: holder.owner, ...holder })}` : '';
  const woken =
    wokeWaiters === null
      ? uncountedText(lock)
      : `${wokeWaiters} ${wokeWaiters === 1 ? 'waiter' : 'waiters'} woken`;
  const recorded = recordedBy === 'console' ? 'recorded by the console' : 'recorded in the audit';
  const back = cameBack ? '\nThe same holder has it again: its library makes the key anew.' : '';
  return `released ${key}${from}: ${woken}; ${recorded}.${back}`;
}
