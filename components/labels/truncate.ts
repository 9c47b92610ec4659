export interface TruncatedText {
  /** May be cut further by the width it gets. */
  head: string;
  /** Always shown whole. Empty for short texts. */
  tail: string;
  /** Characters were left out, whatever the width. */
  cut: boolean;
}

const TAIL = 10;
const SHORT = 24;
const HEAD_MAX = 160;

/**
 * Splits a text so that its end stays in sight when its middle is cut: lock names differ at the end.
 * No more than about 170 characters come back, so that a key of 5,000 bytes costs a row nothing.
 */
export function truncateMiddle(text: string): TruncatedText {
  if (text.length <= SHORT) return { head: text, tail: '', cut: false };
  const tailStart = wholeCharacter(text, text.length - TAIL);
  const tail = text.slice(tailStart);
  if (tailStart <= HEAD_MAX) return { head: text.slice(0, tailStart), tail, cut: false };
  return { head: `${text.slice(0, wholeCharacter(text, HEAD_MAX))}…`, tail, cut: true };
}

const SHORT_TAIL = 6;

/** The end of an id that stands beside a name: by it those of one name are told apart. Whole when short. */
export function endOf(text: string): string {
  if (text.length <= SHORT_TAIL + 2) return text;
  return `…${text.slice(wholeCharacter(text, text.length - SHORT_TAIL))}`;
}

/** Moves an index out of the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}
