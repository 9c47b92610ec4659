import { runProgram, type Register } from './program';

type Load = () => Promise<{ register: Register }>;

/**
 * The commands in the order in which help lists them, by their words. Each is loaded when it is called, because
 * some bring a database along that the others would wait for.
 */
const COMMANDS: Record<string, Load> = {
  status: () => import('./status'),
  doctor: () => import('./doctor'),
  'lock list': () => import('./list'),
  'lock discover': () => import('./discover'),
  'lock debug': () => import('./debug'),
  'lock release': () => import('./release'),
  'lock watch': () => import('./watch'),
  'lock run': () => import('./run'),
  audit: () => import('./audit'),
};

/** The one command that these words call; all of them for help, or where there is no such command. */
export async function loadCommands(args: readonly string[]): Promise<Register[]> {
  const words = args.filter((word) => !word.startsWith('-')).slice(0, 2);
  const called = COMMANDS[words.join(' ')] ?? COMMANDS[words[0] ?? ''];
  const modules = called
    ? [await called()]
    : await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return modules.map(({ register }) => register);
}

/** `… | head` closes the pipe before everything is written; that is no failure of the command. */
function endQuietlyWithThePipe(): void {
  process.stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit();
    throw error;
  });
}

/** Runs one command line and returns its exit code: 0 fine, 1 something is wrong, 2 usage. */
export async function run(args: readonly string[]): Promise<number> {
  endQuietlyWithThePipe();
  return await runProgram(args, await loadCommands(args));
}
