import { basename } from 'node:path';
import type { Command } from 'commander';
import type { AcquireOptions, Lock } from '@/lib/lock/contract';
import {
  isLockError,
  LockAcquisitionTimeoutException,
  type LockErrorCode,
} from '@/lib/lock/errors';
import { DEFAULT_PREFIX } from '@/lib/lock/names';
import { isCodedError, isRecord } from '@/lib/protocol/errors';
import { createLockProvider, type LockProvider } from '@/server/lock-provider';
import { stderrLog } from '@/server/lock-provider/stderr-log';
import { duration } from './locks/duration-option';
import { runGuarded } from './locks/guarded-child';
import { createSignalRelay, type SignalRelay } from './locks/signal-relay';
import { WRONG, type ExitCode } from './output';
import { group, usageError, type CliContext } from './program';

interface Options {
  key?: string;
  template?: string;
  event?: Record<string, unknown>;
  ttl?: number;
  wait?: number;
  businessId?: string;
}

const DAY_MS = 86_400_000;
/** The command line itself cannot be used; an event that lacks a field is not its fault. */
const NAMES_NO_LOCK: readonly LockErrorCode[] = ['EMPTY_KEY', 'BAD_OPTIONS'];
/** As shells answer for a command that is not there, or not allowed. */
const NOT_STARTED = { NOT_FOUND: 127, FORBIDDEN: 126 };

/** `lock run`: runs a command while a lock is held, and not otherwise. */
export function register(program: Command, context: CliContext): void {
  group(program, 'lock')
    .command('run')
    .description('run a command while a lock is held; its exit code is ours')
    .usage('[options] -- <command> [args…]')
    .argument('<command...>', 'the command, after --')
    .option('--key <name>', 'name of the lock, like order:7')
    .option(
      '--template <template>',
      'or its template, like "order:${event.order_no}", with --event',
    )
    .option('--event <json>', 'the event that the template takes its variables from', event)
    .option(
      '--ttl <duration>',
      'length of the lease, renewed while the command runs',
      duration(100, DAY_MS),
    )
    .option(
      '--wait <duration>',
      'how long to wait for the lock; 0 = not at all',
      duration(0, DAY_MS),
    )
    .option('--business-id <id>', 'the serial number that the hold is for')
    .action(
      context.action(async (command: string[], options: Options) => {
        assertOneName(options);
        const provider = await createLockProvider(context.settings(), {
          log: stderrLog(process.stderr),
          client: { app: basename(command[0] ?? '') },
        });
        try {
          return await runLocked(context, { provider, command, options });
        } finally {
          await provider.close();
        }
      }),
    );
}

function assertOneName({ key, template, event: given }: Options): void {
  if (key !== undefined && (template !== undefined || given !== undefined)) {
    throw usageError('--key excludes --template and --event: one of them names the lock.');
  }
  if (key === undefined && given === undefined) {
    throw usageError('Give the name of the lock by --key, or by --event and a template.');
  }
}

function event(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Not JSON is answered like JSON of another shape.
  }
  throw usageError('--event must be a JSON object, like \'{"order_no":"7"}\'.');
}

interface Job {
  provider: LockProvider;
  command: string[];
  options: Options;
}

async function runLocked(context: CliContext, job: Job): Promise<ExitCode> {
  const relay = createSignalRelay();
  try {
    const lock = await acquire(job, relay.signal);
    try {
      // The signal may have come when the lock was granted already.
      return relay.signal.aborted ? relay.exitCode : await runChild(context, { job, lock, relay });
    } finally {
      // A lock that was lost is not ours to release; the child was told already.
      if (lock.isHeld) await release(context, lock);
    }
  } catch (error) {
    if (relay.signal.aborted) return relay.exitCode;
    if (isLockError(error) && NAMES_NO_LOCK.includes(error.code)) throw usageError(error.message);
    if (!isLockError(error) || error.code !== 'ACQUISITION_TIMEOUT') throw error;
    context.output.error(named(error));
    return WRONG;
  } finally {
    relay.end();
  }
}

/** What the command did is done: a Redis that is gone by then does not turn it into a failure. */
async function release(context: CliContext, lock: Lock): Promise<void> {
  try {
    await lock.release();
  } catch (error) {
    if (!isLockError(error) || error.code === 'LOST') throw error;
    context.output.note(`${error.message} The lock ends with its lease, within ${lock.ttlMs} ms.`);
  }
}

function acquire({ provider, options }: Job, signal: AbortSignal): Promise<Lock> {
  const { key, event: given, template, ttl, wait, businessId } = options;
  const name = given ? provider.nameFor(given, template) : withoutPrefix(key ?? '');
  const acquireOptions: AcquireOptions = { signal };
  if (ttl !== undefined) acquireOptions.ttlMs = ttl;
  if (wait !== undefined) acquireOptions.waitMs = wait;
  if (businessId !== undefined) acquireOptions.businessId = businessId;
  return provider.client.acquire(name, acquireOptions);
}

const withoutPrefix = (key: string): string =>
  key.startsWith(DEFAULT_PREFIX) ? key.slice(DEFAULT_PREFIX.length) : key;

async function runChild(
  context: CliContext,
  { job, lock, relay }: { job: Job; lock: Lock; relay: SignalRelay },
): Promise<ExitCode> {
  const [program = '', ...args] = job.command;
  const env = {
    ...context.env,
    LOCKSCOPE_FENCE: String(lock.fence),
    LOCKSCOPE_LOCK_KEY: lock.key,
  };
  try {
    const code = await runGuarded({ command: program, args, env, lost: lock.signal, relay });
    if (!lock.signal.aborted) return code;
    context.output.error(lock.signal.reason);
    return code === 0 ? WRONG : code;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    context.output.error(error);
    return error.code === 'FORBIDDEN' ? NOT_STARTED.FORBIDDEN : NOT_STARTED.NOT_FOUND;
  }
}

/** People and scripts look for the name. */
const named = ({
  message,
  fields,
}: {
  message: string;
  fields: Readonly<Record<string, unknown>>;
}) =>
  new LockAcquisitionTimeoutException(`LockAcquisitionTimeoutException: ${message}`, { ...fields });
