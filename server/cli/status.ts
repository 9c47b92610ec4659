import { Option, type Command } from 'commander';
import { isCodedError, isRecord } from '@/lib/protocol/errors';
import { isConfigError, type Settings } from '@/server/config';
import { displayAddress, userOf } from '@/server/redis/connection-options';
import { lockState, type LockState } from './checks/lock-state';
import { withPatient } from './checks/patient';
import { version } from './checks/server';
import { FINE, printable, WRONG } from './output';
import type { CliContext } from './program';

type Module = 'redis' | 'lock' | 'console';
const MODULES: readonly Module[] = ['redis', 'lock', 'console'];
const HEALTH_TIMEOUT_MS = 1_500;

interface ModuleState extends Omit<LockState, 'state'> {
  state: string;
}

const stateOf = (state: string, message: string): ModuleState => ({
  state,
  cause: null,
  message,
  remedy: null,
  notes: [],
});

async function redisState(settings: Settings): Promise<ModuleState> {
  const { url, db } = settings.redis;
  try {
    const { message } = await withPatient(settings, async (patient) => await version.run(patient));
    return stateOf(
      'reachable',
      `${displayAddress(url)}, db ${db}, user ${userOf(url)}: ${message}`,
    );
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { ...stateOf('unreachable', error.message), cause: 'connection' };
  }
}

/** Whether a console answers where the settings would have it listen. */
async function consoleState({ listenUrl }: Settings): Promise<ModuleState> {
  try {
    const answer = await fetch(`${listenUrl}/api/health`, {
      signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
    });
    const body: unknown = await answer.json();
    if (answer.ok && isRecord(body) && body['status'] === 'ok') {
      return stateOf('running', `The console answers at ${listenUrl}.`);
    }
    return stateOf('not running', `Something else answers at ${listenUrl}.`);
  } catch {
    // No answer, or one that is no JSON: whatever is there, it is no console.
    return stateOf(
      'not running',
      `No console answers at ${listenUrl}; lockscope start starts one.`,
    );
  }
}

const LOOKS: Record<Module, (settings: Settings) => Promise<ModuleState>> = {
  redis: redisState,
  lock: lockState,
  console: consoleState,
};
const WRONG_STATES = ['inactive', 'unreachable'];

function moduleText(module: Module, found: ModuleState): string {
  const { state, cause, message, remedy, notes } = found;
  const lines = [
    cause === null ? message : `cause: ${cause}: ${message}`,
    ...(remedy === null ? [] : [`remedy: ${remedy}`]),
    ...notes.map((note) => `note: ${note}`),
  ];
  return [`${module}: ${state}`, ...lines.map((line) => `  ${printable(line)}`)].join('\n');
}

/** A setting that cannot be used keeps the lock, and everything else that was asked for, from working. */
async function look(
  context: CliContext,
  modules: readonly Module[],
): Promise<[Module, ModuleState][]> {
  try {
    const settings = context.settings();
    const found: [Module, ModuleState][] = [];
    for (const module of modules) found.push([module, await LOOKS[module](settings)]);
    return found;
  } catch (error) {
    if (!isConfigError(error) || !modules.includes('lock')) throw error;
    return [['lock', { ...stateOf('inactive', error.message), cause: 'settings' }]];
  }
}

/** `status`: whether Redis, the lock and the console are there. Exit code 1 when Redis or the lock is not. */
export function register(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('whether locks work here, or why not')
    .addOption(new Option('--module <name>', 'one of them alone').choices(MODULES))
    .action(
      context.action(async (options: { module?: Module }) => {
        const found = await look(context, options.module ? [options.module] : MODULES);
        context.output.result(Object.fromEntries(found), () =>
          found.map(([module, state]) => moduleText(module, state)).join('\n'),
        );
        return found.some(([, { state }]) => WRONG_STATES.includes(state)) ? WRONG : FINE;
      }),
    );
}
