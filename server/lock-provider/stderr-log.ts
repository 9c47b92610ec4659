import type { Log } from './contract';

/** Lines with time and level, one a call. */
export function stderrLog(stderr: { write: (text: string) => unknown }): Log {
  const write = (level: string, line: string): void => {
    stderr.write(`${new Date().toISOString()} ${level} ${line.replaceAll(/[\r\n]+/g, ' ')}\n`);
  };
  return {
    info: (line) => write('INFO', line),
    warn: (line) => write('WARN', line),
  };
}
