/** Says what the set-up is doing, on stderr, so that stdout stays the command's own. */
export function say(sentence) {
  process.stderr.write(`lockscope: ${sentence}\n`);
}

/** The set-up cannot go on. The message is one sentence that tells a person what to do. */
export class SetUpError extends Error {
  name = 'SetUpError';
}
