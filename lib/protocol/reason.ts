export const MIN_REASON = 3;

// Controls, invisible and unassigned characters, spaces, and letters and patterns that are drawn as nothing.
const INVISIBLE = /[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]|\p{M}/gu;

/** Whether the text says something to whoever reads it: enough characters that can be seen. */
export const isReason = (text: string): boolean =>
  [...text.replace(INVISIBLE, '')].length >= MIN_REASON;
