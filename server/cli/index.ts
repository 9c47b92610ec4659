import { register as audit } from './audit';
import { register as debug } from './debug';
import { register as doctor } from './doctor';
import { register as list } from './list';
import { runProgram, type Register } from './program';
import { register as status } from './status';

/** The commands in the order in which help lists them. */
export const COMMANDS: readonly Register[] = [status, doctor, list, debug, audit];

/** Runs one command line and returns its exit code: 0 fine, 1 something is wrong, 2 usage. */
export const run = async (args: readonly string[]): Promise<number> =>
  await runProgram(args, COMMANDS);
