import { canonicalJson } from '@/lib/live/canonical';
import type { LockFilter, LockSort } from '@/lib/protocol/queries';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { matchesExactly, searchTextOf, SORT_VALUES, type FilterSettings } from './lock-filter';

/** Orders kept at once: one per list that somebody looks at. */
const MAX_ORDERS = 16;

/** What the index remembers of a record, so that a pass over 100,000 does no string work. */
interface Entry {
  record: LockRecord;
  text: string;
  /** The owner the text was made with; key and class of a record never change. */
  textOwner: string | undefined;
  value: number | string;
}

interface Order {
  stamp: string;
  entries: Entry[];
  members: Map<LockRecord, Entry>;
}

export interface LockSelection {
  table: LockTable;
  filter: LockFilter;
  sort: LockSort | undefined;
  settings: FilterSettings;
  /** Equal = the answer cannot have changed since. */
  stamp: string;
}

/**
 * Keeps the matching locks of each (filter, sort) in order. A new pass starts from the order before:
 * nearly sorted already, so the sort costs about one comparison per lock.
 */
export interface LockIndex {
  select: (selection: LockSelection) => readonly { record: LockRecord }[];
}

function compare(a: Entry, b: Entry): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.record.key !== b.record.key) return a.record.key < b.record.key ? -1 : 1;
  return a.record.db - b.record.db;
}

function entryOf(record: LockRecord, known: Entry | undefined, needsText: boolean): Entry {
  const entry = known ?? { record, text: '', textOwner: undefined, value: 0 };
  const owner = record.hold?.owner?.id ?? '';
  if (needsText && entry.textOwner !== owner) {
    entry.text = searchTextOf(record);
    entry.textOwner = owner;
  }
  return entry;
}

function pass(selection: LockSelection, before: Order | undefined): Order {
  const { table, filter, settings } = selection;
  const needle = filter.q?.toLowerCase() ?? '';
  const valueOf = SORT_VALUES[selection.sort ?? 'default'];
  const members = new Map<LockRecord, Entry>();
  const added: Entry[] = [];
  for (const record of table.all()) {
    if (!matchesExactly(record, filter, settings)) continue;
    const known = before?.members.get(record);
    const entry = entryOf(record, known, needle !== '');
    if (needle !== '' && !entry.text.includes(needle)) continue;
    entry.value = valueOf(record);
    members.set(record, entry);
    if (!known) added.push(entry);
  }
  const kept = before?.entries.filter((entry) => members.has(entry.record)) ?? [];
  return {
    stamp: selection.stamp,
    members,
    entries: [...kept, ...added.sort(compare)].sort(compare),
  };
}

export function createLockIndex(): LockIndex {
  const orders = new Map<string, Order>();
  return {
    select: (selection) => {
      const name = canonicalJson([selection.filter, selection.sort]);
      const before = orders.get(name);
      const order = before?.stamp === selection.stamp ? before : pass(selection, before);
      orders.delete(name);
      orders.set(name, order);
      const oldest = orders.size > MAX_ORDERS ? orders.keys().next().value : undefined;
      if (oldest !== undefined) orders.delete(oldest);
      return order.entries;
    },
  };
}
