import type { Bytes } from '@/lib/protocol/bytes';

type OnEvent = (db: number, key: Bytes, event: string) => void;

/**
 * Tells an event once that comes by several patterns. Redis sends it once for each that matches, one right after
 * the other. The same event by another pattern than the last is that event again; by the same pattern it is a
 * new one.
 */
export class EventOnce {
  readonly #tell: OnEvent;
  #db = 0;
  #key: Bytes = '';
  #event = '';
  /** Of the pattern by which the last event came first; -1 = something else came since. */
  #mark = -1;

  constructor(tell: OnEvent) {
    this.#tell = tell;
  }

  /** `mark` is `patternMark` of the pattern by which it came. */
  deliver(mark: number, db: number, { key, event }: { key: Bytes; event: string }): void {
    const isSame =
      this.#mark !== -1 && this.#event === event && this.#key === key && this.#db === db;
    if (isSame && this.#mark !== mark) return;
    this.#db = db;
    this.#key = key;
    this.#event = event;
    this.#mark = mark;
    this.#tell(db, key, event);
  }

  /** Anything else than an event came: the patterns may be others from here on. */
  interrupt(): void {
    this.#mark = -1;
  }
}

/**
 * Tells patterns apart, quickly, by their length and two of their bytes: the one in the middle and the last but
 * one. Two with one mark count as one: an event that both match comes twice then, and none is lost.
 */
export const patternMark = (length: number, middle = 0, lastButOne = 0): number =>
  (length << 16) | (middle << 8) | lastButOne;

export const markOf = (pattern: Bytes): number => {
  const { length } = pattern;
  return patternMark(length, pattern.charCodeAt(length >> 1), pattern.charCodeAt(length - 2));
};
