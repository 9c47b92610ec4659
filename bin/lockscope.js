#!/usr/bin/env node
import { ensureNode } from './bootstrap/node.js';

/** The commands of a checkout. Each module exports `run(args)` and returns the exit code. */
const COMMANDS = {
  start: './commands/start.js',
  demo: './commands/demo.js',
  test: './commands/test.js',
  perf: './commands/perf.js',
  bench: './commands/bench.js',
  build: './commands/build.js',
};

const USAGE = `usage: lockscope <command> [options]

  start            the console on the Redis that LOCKSCOPE_REDIS_URL names
  demo [scenario]  a Redis, a fleet of services that lock, and the console; "demo help" lists scenarios
  test [filter]    format, lint, types, build and every test
  perf             the performance figures beside their aims
  bench <name>     the lock client beside other packages: lock, stock, takeover, config
  build            builds what start and demo run, when it is missing or stale
`;

const [command = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command)) {
  process.stderr.write(USAGE);
  process.exitCode = command === 'help' || command === '--help' ? 0 : 2;
} else {
  process.exitCode = (await ensureNode()) ?? (await runCommand());
}

async function runCommand() {
  try {
    const { run } = await import(COMMANDS[command]);
    return await run(args);
  } catch (error) {
    if (error?.name !== 'SetUpError') throw error;
    process.stderr.write(`lockscope: ${error.message}\n`);
    return 1;
  }
}
