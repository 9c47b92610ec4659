import { dropOldest } from '@/lib/analysis/drop-oldest';
import { canonicalJson } from '@/lib/live/canonical';
import type { LockFilter, LockSort } from '@/lib/protocol/queries';
import type { Change } from '@/server/state/change';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { matchesExactly, ownerText, searchTextOf, type FilterSettings } from './lock-filter';
import { LockOrder } from './lock-order';

/** Orders kept at once: one for each list that somebody looks at, and a few just left. */
const MAX_ORDERS = 16;
/** Changes kept for orders to catch up with; an order farther behind starts anew. */
const MAX_LOG = 20_000;

export interface LockSelection {
  table: LockTable;
  filter: LockFilter;
  sort: LockSort | undefined;
  settings: FilterSettings;
  /** What the answer depends on besides the table: when it changes, the order starts anew. */
  stamp: string;
}

/**
 * Keeps the matching locks of each (filter, sort) in order. Told of every change, an order of 100,000
 * follows it in about a millisecond; a version of the table that nobody told of means starting anew.
 */
export interface LockIndex {
  /** To be called with what every `table.apply` returned, and the version after it. */
  note: (changes: readonly Change[], version: number) => void;
  select: (selection: LockSelection) => readonly { record: LockRecord }[];
}

interface KeptOrder {
  order: LockOrder;
  stamp: string;
  version: number;
  /** How much of the log it has taken in, counted from the first change ever. */
  position: number;
  /** Handed to `matches`, which outlives a selection. */
  settings: FilterSettings;
}

export function createLockIndex(): LockIndex {
  return new ChangeFedIndex();
}

class ChangeFedIndex implements LockIndex {
  readonly #orders = new Map<string, KeptOrder>();
  /** Texts to search in; the owner is kept beside because only it can change. */
  readonly #texts = new WeakMap<LockRecord, { owner: string; text: string }>();
  #log: LockRecord[] = [];
  /** Changes dropped from the front of the log so far. */
  #dropped = 0;
  #notedVersion = -1;

  note(changes: readonly Change[], version: number): void {
    this.#notedVersion = version;
    if (this.#orders.size === 0) return;
    for (const change of changes) if ('lock' in change) this.#log.push(change.lock);
    if (this.#log.length <= MAX_LOG) return;
    this.#dropped += this.#log.length;
    this.#log = [];
  }

  select(selection: LockSelection): readonly { record: LockRecord }[] {
    const name = canonicalJson([selection.filter, selection.sort]);
    const kept = this.#orders.get(name) ?? this.#createOrder(selection);
    this.#orders.delete(name);
    this.#orders.set(name, kept);
    dropOldest(this.#orders, MAX_ORDERS);
    kept.settings = selection.settings;
    this.#refresh(kept, selection);
    return kept.order.entries;
  }

  #refresh(kept: KeptOrder, { table, stamp }: LockSelection): void {
    const { version } = table;
    const isCurrent = kept.stamp === stamp && kept.version === version;
    if (isCurrent) return;
    const canFollow =
      kept.stamp === stamp && this.#notedVersion === version && kept.position >= this.#dropped;
    if (canFollow) {
      const changed = new Set(this.#log.slice(kept.position - this.#dropped));
      kept.order.update(changed, (record) => table.get(record.db, record.key) !== record);
    } else {
      kept.order.fill(table.all());
    }
    kept.stamp = stamp;
    kept.version = version;
    kept.position = this.#dropped + this.#log.length;
  }

  #createOrder({ filter, sort, settings }: LockSelection): KeptOrder {
    const needle = filter.q?.toLowerCase() ?? '';
    const matches = (record: LockRecord): boolean =>
      matchesExactly(record, filter, kept.settings) &&
      (needle === '' || this.#textOf(record).includes(needle));
    const order = new LockOrder(matches, sort ?? 'default');
    const kept: KeptOrder = { order, stamp: '', version: -1, position: -1, settings };
    return kept;
  }

  #textOf(record: LockRecord): string {
    const owner = ownerText(record);
    const known = this.#texts.get(record);
    if (known?.owner === owner) return known.text;
    const text = searchTextOf(record);
    this.#texts.set(record, { owner, text });
    return text;
  }
}
