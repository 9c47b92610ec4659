import type { Command } from 'commander';
import { isConfigError } from '@/server/config';
import type { CheckResult, CheckState } from './checks/check';
import { fail } from './checks/check';
import { examine } from './checks/index';
import { FINE, printable, WRONG } from './output';
import type { CliContext } from './program';

const MARKS: Record<CheckState, string> = { ok: '✓', warn: '!', fail: '✗', unknown: '?' };
const NAME_WIDTH = 20;
const LINE_WIDTH = 100;

/** Words in lines of at most `width`; a longer word stands alone. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

function resultText({ id, state, message, remedy }: CheckResult): string {
  const indent = ' '.repeat(NAME_WIDTH + 4);
  const lines = wrapped(printable(message), LINE_WIDTH - indent.length).join(`\n${indent}`);
  const head = `${MARKS[state]} ${id.padEnd(NAME_WIDTH)}  ${lines}`;
  // Not wrapped: a command in it is there to be pasted.
  return remedy === null || state === 'ok' ? head : `${head}\n${indent}→ ${printable(remedy)}`;
}

function summary(results: readonly CheckResult[]): string {
  const count = (state: CheckState): number =>
    results.filter((result) => result.state === state).length;
  return `${count('ok')} fine, ${count('warn')} to note, ${count('fail')} wrong, ${count('unknown')} not known`;
}

/** A bad setting is a finding like the others, and here the only one. */
async function diagnose(context: CliContext): Promise<CheckResult[]> {
  try {
    return await examine(context.settings());
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return [{ id: 'settings', ...fail(error.message, 'Correct the setting and run this again.') }];
  }
}

/** `doctor`: what makes locks fail or will, each with its remedy. Exit code 1 when something is wrong. */
export function register(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('look for what makes locks fail, and say how to mend it; changes nothing')
    .action(
      context.action(async () => {
        const checks = await diagnose(context);
        const isFine = checks.every(({ state }) => state !== 'fail');
        context.output.result({ ok: isFine, checks }, () =>
          [...checks.map(resultText), '', summary(checks)].join('\n'),
        );
        return isFine ? FINE : WRONG;
      }),
    );
}
