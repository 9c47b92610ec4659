import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { environment, isConfigError, loadSettings, type Env, type Settings } from '@/server/config';
import { CodedError } from '@/lib/protocol/errors';
import { asClause, isRefusal } from '@/server/redis/redis-error';
import { createOutput, FINE, USAGE, WRONG, type ExitCode, type Output, type Sink } from './output';

/** What every command gets. */
export interface CliContext {
  output: Output;
  /** The environment, for what a command starts; settings are read with `settings`. */
  env: Env;
  /**
   * The settings of the environment and of `config/lock.yaml`, read once. Changes nothing, and makes no
   * data folder. Throws ConfigError, which ends the command with a sentence and {@link USAGE}.
   */
  settings: () => Settings;
  /** Wraps what a command does, for commander's `.action`: its answer becomes the exit code. */
  action: <Args extends unknown[]>(
    run: (...args: Args) => Promise<ExitCode> | ExitCode,
  ) => (...args: Args) => Promise<void>;
  /**
   * Aborts at the first SIGINT or SIGTERM, which then end the program no more: for a command that ends by
   * itself. Commands that never ask die by the signal as usual.
   */
  interrupted: () => AbortSignal;
}

/**
 * Every command is a file that exports this as `register`, and a line in the table of `index.ts`:
 *
 *     export function register(program: Command, context: CliContext): void {
 *       group(program, 'lock')
 *         .command('list')
 *         .description('…')
 *         .option('--limit <n>', 'at most so many', wholeNumber(1, 100_000), 1_000)
 *         .action(context.action(async (options: { limit: number }) => FINE));
 *     }
 *
 * `--json` is known to all and read from `context.output.isJson`.
 */
export type Register = (program: Command, context: CliContext) => void;

const GROUPS = {
  lock: 'look at locks, take and release them',
  audit: 'the record of what was done',
} as const;

/** `lock …`, `audit …`: made when its first command is registered. */
export function group(program: Command, name: keyof typeof GROUPS): Command {
  return (
    program.commands.find((command) => command.name() === name) ??
    program.command(name).description(GROUPS[name])
  );
}

/** Parses an option's value; anything but digits within the bounds is a usage error. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** A usage error that commander cannot see by itself, such as two options that exclude each other. */
export const usageError = (sentence: string): CommanderError =>
  new CommanderError(USAGE, 'USAGE', sentence);

const isUsageError = (error: unknown): error is CommanderError => error instanceof CommanderError;

/** What commander found, as one sentence of ours: it writes its suggestion on a second line. */
function usageOf({ code, message }: CommanderError): CommanderError {
  if (code === 'commander.help') return usageError('A command is missing.');
  return usageError(message.replace(/^error: /, '').replaceAll('\n', ' '));
}

/** A right that a command cannot do without: those that it can, it handles itself. */
const lacksRight = (error: unknown): CodedError =>
  new CodedError(
    'CAPABILITY_MISSING',
    `The Redis user may not do what this command needs: ${asClause(error instanceof Error ? error.message : String(error))}. Use a user that may look at locks, as the README has it.`,
  );

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(signal));
  }
  return controller.signal;
}

/**
 * Runs one command line (without node and script) and returns its exit code. Never throws: errors are told
 * on stderr. `commands` register themselves in the order in which help lists them.
 */
export async function runProgram(
  args: readonly string[],
  commands: readonly Register[],
  surroundings: { out?: Sink; err?: Sink; env?: Env } = {},
): Promise<ExitCode> {
  const { out = process.stdout, err = process.stderr, env = environment() } = surroundings;
  let exitCode: ExitCode = FINE;
  let settings: Settings | null = null;
  let interrupted: AbortSignal | null = null;
  const program = new Command('lockscope')
    .description('Distributed locks in Redis: see them, understand them, release them safely.')
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      // Told at the end, so that `--json` has it too.
      outputError: () => undefined,
    })
    .exitOverride();
  const output = createOutput({ out, err, isJson: () => program.opts()['json'] === true });
  const context: CliContext = {
    output,
    env,
    settings: () => (settings ??= loadSettings(env)),
    action:
      (run) =>
      async (...parsed) => {
        exitCode = await run(...parsed);
      },
    interrupted: () => (interrupted ??= interruption()),
  };
  for (const register of commands) register(program, context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!isUsageError(error)) {
      output.error(isRefusal(error) ? lacksRight(error) : error);
      return isConfigError(error) ? USAGE : WRONG;
    }
    if (error.exitCode === FINE) return FINE;
    output.error(usageOf(error));
    return USAGE;
  }
}
