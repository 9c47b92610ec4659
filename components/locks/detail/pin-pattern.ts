/** In printable text a backslash of the key is written as two. */
const SPECIAL = /\\\\|[?[]/g;

/**
 * The class of a lock as a glob over keys, both printable: its stars stand for anything, and what else a
 * glob would read as a sign stands for itself.
 */
export const pinPattern = (lockClass: string): string =>
  lockClass.replace(SPECIAL, (found) => `\\\\${found}`);
