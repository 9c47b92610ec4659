import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { Bytes } from '@/lib/protocol/bytes';
import type { FormatTable, LockFormat, RawValue } from '@/lib/formats/format';
import type { ReadCompanions } from './read-script';

/** Keys remembered to have companions; a forgotten one is learnt again by its next read. */
const MAX_KNOWN = 100_000;

/**
 * Which other keys to read together with a key. A name seldom tells whether it is a lock with a queue,
 * and reading three more keys for each is dear, so the first read finds out and later ones take them along.
 */
export interface CompanionFinder {
  /** Null while the key is not known to have any, unless its name says so. */
  companionsOf: (key: Bytes) => ReadCompanions | null;
  /** Somebody may stand in its queue: a companion was seen, or a value that has one. */
  isKnown: (key: Bytes) => boolean;
  /** From now on the key's queue is read too. False = it can have none, or it is already. */
  learn: (key: Bytes) => boolean;
  /** What a value said stands beside its key is read with it from now on. True when that was not all known. */
  learnBeside: (key: Bytes, value: RawValue | null) => boolean;
  /** An event told of a key beside this one: it is read with it from now on. False = it was already. */
  learnSide: (key: Bytes, side: Bytes) => boolean;
  /** Where a queued owner of this lock would listen; null when its formats have no fair queue. */
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
}

/** Side keys of one lock that events may add to what is read with it. */
const MAX_SIDES = 8;

function remember(map: Map<Bytes, readonly Bytes[]>, key: Bytes, keys: readonly Bytes[]): void {
  map.set(key, keys);
  dropOldest(map, MAX_KNOWN);
}

export function createCompanionFinder(formats: FormatTable): CompanionFinder {
  const queued = formats.formats.filter((format) => format.companions('').queue !== null);
  const proven = queued
    .filter(({ nameIsProof, waiters }) => nameIsProof && waiters === 'fair-queue')
    .flatMap(({ prefixes }) => prefixes);
  const known = new Set<Bytes>();
  /** Beyond what the name alone gives. */
  const beside = new Map<Bytes, readonly Bytes[]>();
  /** Told by events, where neither name nor value says that there may be one. */
  const sides = new Map<Bytes, readonly Bytes[]>();

  const formatOf = (key: Bytes): LockFormat | null => {
    for (const format of queued) if (format.matchesKey(key)) return format;
    return null;
  };

  const queueOf = (key: Bytes): ReadCompanions['queue'] => {
    if (!known.has(key) && !proven.some((prefix) => key.startsWith(prefix))) return null;
    const companions = formatOf(key)?.companions(key);
    if (!companions?.queue) return null;
    const { list, timeouts, wishes } = companions.queue;
    return { list, timeouts, wishes, fence: companions.fence ?? '' };
  };

  const besideOf = (key: Bytes): readonly Bytes[] => {
    const keys = beside.get(key) ?? formats.beside(key, null);
    const told = sides.get(key);
    return told ? [...new Set([...keys, ...told])] : keys;
  };

  return {
    companionsOf: (key) => {
      const queue = queueOf(key);
      const keys = besideOf(key);
      return queue || keys.length > 0 ? { queue, beside: keys } : null;
    },
    isKnown: (key) => known.has(key) || besideOf(key).length > 0,
    learn: (key) => {
      if (known.has(key) || formatOf(key) === null) return false;
      known.add(key);
      dropOldest(known, MAX_KNOWN);
      return true;
    },
    learnBeside: (key, value) => {
      const keys = formats.beside(key, value);
      const asked = besideOf(key);
      if (keys.length === 0 && !beside.has(key)) return false;
      beside.delete(key);
      if (value !== null) remember(beside, key, keys);
      return keys.some((name) => !asked.includes(name));
    },
    learnSide: (key, side) => {
      const told = sides.get(key) ?? [];
      if (told.includes(side)) return false;
      remember(sides, key, [...told, side].slice(-MAX_SIDES));
      return true;
    },
    waiterChannel: (key, owner) =>
      formatOf(key)?.companions(key).queue?.waiterChannel(owner) ?? null,
  };
}
