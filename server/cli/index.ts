import { register as audit } from './audit';
import { register as debug } from './debug';
import { register as doctor } from './doctor';
import { register as list } from './list';
import { runProgram, type Register } from './program';
import { register as release } from './release';
import { register as status } from './status';
import { register as watch } from './watch';

/** The commands in the order in which help lists them. */
export const COMMANDS: readonly Register[] = [status, doctor, list, debug, release, watch, audit];

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
  return await runProgram(args, COMMANDS);
}
