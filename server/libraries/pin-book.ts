import type { Bytes } from '@/lib/protocol/bytes';
import { compileGlob, globHead } from '@/lib/analysis/glob';
import type { PinRow } from '@/server/store/store-contract';

/** What operators said of the keys of some patterns, in memory: asked for every event. */
export interface PinBook {
  /** Newest first. */
  list: () => readonly PinRow[];
  /** The newest pin whose pattern the key matches. */
  find: (key: Bytes) => PinRow | null;
  /** The pin of exactly this pattern. */
  get: (pattern: Bytes) => PinRow | null;
  /** Takes the place of a pin of the same pattern. */
  set: (pin: PinRow) => void;
  remove: (pattern: Bytes) => void;
}

interface Compiled {
  pin: PinRow;
  matches: (key: Bytes) => boolean;
  /** First byte of every key that matches; null where the pattern leaves it open. */
  first: number | null;
}

function compile(pin: PinRow): Compiled {
  const { head } = globHead(pin.pattern);
  return {
    pin,
    matches: compileGlob(pin.pattern),
    first: head === '' ? null : head.charCodeAt(0),
  };
}

export function createPinBook(pins: readonly PinRow[]): PinBook {
  let all: Compiled[] = [];
  let openToAll: Compiled[] = [];
  /** By first byte; each list has the open ones as well, newest first. */
  let byFirst = new Map<number, Compiled[]>();

  const arrange = (next: readonly Compiled[]): void => {
    all = next.toSorted((a, b) => b.pin.createdAt - a.pin.createdAt);
    openToAll = all.filter(({ first }) => first === null);
    const firsts = new Set(all.flatMap(({ first }) => (first === null ? [] : [first])));
    byFirst = new Map(
      [...firsts].map((byte) => [
        byte,
        all.filter(({ first }) => first === null || first === byte),
      ]),
    );
  };
  const without = (pattern: Bytes): Compiled[] => all.filter(({ pin }) => pin.pattern !== pattern);
  arrange(pins.map(compile));

  return {
    list: () => all.map(({ pin }) => pin),
    find: (key) => {
      if (all.length === 0) return null;
      for (const { pin, matches } of byFirst.get(key.charCodeAt(0)) ?? openToAll) {
        if (matches(key)) return pin;
      }
      return null;
    },
    get: (pattern) => all.find(({ pin }) => pin.pattern === pattern)?.pin ?? null,
    set: (pin) => arrange([compile(pin), ...without(pin.pattern)]),
    remove: (pattern) => arrange(without(pattern)),
  };
}
