#!/usr/bin/env node
import { createRequire } from 'node:module';
import { ensureNode } from './bootstrap/node.js';
import { isCheckout } from './bootstrap/root.js';

/** Commands of their own file, which exports `run(args)` and returns the exit code; the others are of dist/cli.js. */
const COMMANDS = {
  start: './commands/start.js',
  demo: './commands/demo.js',
};

/** What needs the sources, which an installed package does not have. */
const OF_CHECKOUT = {
  test: './commands/test.js',
  perf: './commands/perf.js',
  bench: './commands/bench.js',
  torture: './commands/torture.js',
  interop: './commands/interop.js',
  build: './commands/build.js',
};

const USAGE = `usage: lockscope <command> [options]

  start            the console on the Redis that LOCKSCOPE_REDIS_URL names
  demo [scenario]  a Redis, a fleet of services that lock, and the console; "demo help" lists scenarios

  status           whether locks work here, or why not; --module=lock for the lock alone
  doctor           looks for what makes locks fail, and says how to mend it
  lock list        every lock in the Redis, of whatever library
  lock discover    what else looks like locks, and of which library
  lock debug       who holds a lock, for how long yet, and who waits
  lock release     takes a lock from its holder, with a reason, and records it
  lock watch       follows locks live
  lock run         runs a command while a lock is held
  audit verify     whether the record of what was done is whole
  audit export     that record, as JSON lines or CSV
`;

const USAGE_OF_CHECKOUT = `
  test [filter]    format, lint, types, build and every test
  perf             the performance figures beside their aims
  bench <name>     the lock client beside other packages: lock, stock, takeover, config
  interop [part]   the console beside the real lock libraries of each language
  torture          the lock under processes that are killed and paused, at full size
  build            builds what start, demo and the package need, when it is missing or stale
`;

const MORE = `
"lockscope <command> --help" tells the options of a command; with --json it prints what it finds as JSON.
`;

const usage = () => USAGE + (isCheckout() ? USAGE_OF_CHECKOUT : '') + MORE;

/** `--json` may stand before the command. */
const withCommandFirst = ([first = '', ...rest]) =>
  first === '--json' ? [rest[0] ?? '', first, ...rest.slice(1)] : [first, ...rest];

const [command, ...args] = withCommandFirst(process.argv.slice(2));
if (command === '') {
  process.stderr.write(usage());
  process.exitCode = 2;
} else if (args.length === 0 && ['help', '--help', '-h'].includes(command)) {
  process.stdout.write(usage());
} else if (args.length === 0 && ['--version', '-V'].includes(command)) {
  const { version } = createRequire(import.meta.url)('../package.json');
  process.stdout.write(`${version}\n`);
} else {
  process.exitCode = (await ensureNode()) ?? (await runCommand());
}

async function runCommand() {
  try {
    const own = isCheckout() ? { ...COMMANDS, ...OF_CHECKOUT } : COMMANDS;
    if (Object.hasOwn(own, command)) {
      const { run } = await import(own[command]);
      return await run(args);
    }
    const { run } = await import('./commands/cli.js');
    return await run([command, ...args]);
  } catch (error) {
    if (error?.name !== 'SetUpError') throw error;
    process.stderr.write(`lockscope: ${error.message}\n`);
    return 1;
  }
}
