import type { Log } from './contract';

/** Lines with time and level, one a call: what a key or an owner holds moves no cursor. */
export function stderrLog(stderr: { write: (text: string) => unknown }): Log {
  const write = (level: string, line: string): void => {
    const shown = line.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
    stderr.write(`${new Date().toISOString()} ${level} ${shown}\n`);
  };
  return {
    info: (line) => write('INFO', line),
    warn: (line) => write('WARN', line),
  };
}
