import { parseArguments, usage } from './arguments';
import { startDemo } from './demo';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Plays until a signal or the end of the console. Returns the exit code. */
async function main(): Promise<number> {
  const parsed = parseArguments(process.argv.slice(2));
  if (parsed.kind === 'help') {
    process.stdout.write(usage());
    return 0;
  }
  if (parsed.kind === 'wrong') {
    process.stderr.write(`${parsed.because}\n${usage()}`);
    return 2;
  }
  const { scenario, port, isJson } = parsed;
  const tell = (sentence: string): void =>
    void process.stdout.write(
      isJson ? `${JSON.stringify({ demo: sentence })}\n` : `demo: ${sentence}\n`,
    );
  const interrupted = new Promise<number>((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(0));
  });
  const demo = await startDemo(scenario, { port, isJson, tell });
  tell('press Ctrl-C to end and remove everything it started');
  const code = await Promise.race([interrupted, demo.ended]);
  await demo.stop();
  return code;
}

process.exitCode = await main();
