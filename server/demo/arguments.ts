import { SCENARIOS } from './scenarios';
import type { Scenario } from './scenarios/scenario';

export type Arguments =
  | { kind: 'play'; scenario: Scenario; port: number | null; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'wrong'; because: string };

/** Reads `[scenario] [--port N] [--json]`, or `help`. */
export function parseArguments(words: readonly string[]): Arguments {
  let name: string | null = null;
  let port: number | null = null;
  let isJson = false;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === 'help' || word === '--help') return { kind: 'help' };
    if (word === '--json') isJson = true;
    else if (word === '--port') {
      port = Number(words[++i]);
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        return { kind: 'wrong', because: '--port wants a number from 1 to 65535' };
      }
    } else if (name === null && !word.startsWith('-')) name = word;
    else return { kind: 'wrong', because: `"${word}" is not understood` };
  }
  const scenario = SCENARIOS.find((candidate) => candidate.name === (name ?? 'healthy'));
  if (!scenario) return { kind: 'wrong', because: `there is no scenario "${name}"` };
  return { kind: 'play', scenario, port, isJson };
}

export function usage(): string {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length));
  const lines = SCENARIOS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `usage: lockscope demo [scenario] [--port N] [--json], in a checkout npm run demo -- [scenario] …\n\n${lines.join('\n')}\n`;
}
