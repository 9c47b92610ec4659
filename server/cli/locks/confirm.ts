import { createInterface } from 'node:readline/promises';

/** Whether there is a person to ask. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on stderr, so that stdout stays the result's. Ctrl-C and the end of input are a no. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const given = new AbortController();
  lines.once('SIGINT', () => given.abort());
  lines.once('close', () => given.abort());
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: given.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (given.signal.aborted) return false;
    throw error;
  } finally {
    lines.close();
  }
}
