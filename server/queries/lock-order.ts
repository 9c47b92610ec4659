import type { LockRecord } from '@/server/state/lock-record';
import { SORT_VALUES } from './lock-filter';

/** What an order remembers of a record: comparing must not chase through a hundred thousand records. */
export interface Entry {
  record: LockRecord;
  key: string;
  value: number | string;
  /** Its record changed or left: this entry is passed over. */
  isStale: boolean;
}

function compare(a: Entry, b: Entry): number {
  if (a.value !== b.value) return a.value < b.value ? -1 : 1;
  if (a.key < b.key) return -1;
  return a.key > b.key ? 1 : a.record.db - b.record.db;
}

/** Where `entry` belongs in sorted `entries`, from `low` on. */
function positionOf(entries: readonly Entry[], entry: Entry, low: number): number {
  let from = low;
  let to = entries.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = entries[middle];
    if (other && compare(other, entry) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Both sorted. Few are inserted into many, so whole runs are copied between them. */
function mergeSorted(many: Entry[], few: readonly Entry[]): Entry[] {
  const runs: Entry[][] = [];
  let done = 0;
  for (const entry of few) {
    const position = positionOf(many, entry, done);
    runs.push(many.slice(done, position), [entry]);
    done = position;
  }
  return runs.length === 0 ? many : runs.concat([many.slice(done)]).flat();
}

/** The locks that one filter selects, in one order, kept up with what changes. */
export class LockOrder {
  readonly #matches: (record: LockRecord) => boolean;
  readonly #valueOf: (record: LockRecord) => number | string;
  #byRecord = new Map<LockRecord, Entry>();
  #entries: Entry[] = [];

  constructor(matches: (record: LockRecord) => boolean, sort: keyof typeof SORT_VALUES) {
    this.#matches = matches;
    this.#valueOf = SORT_VALUES[sort];
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Starts anew from all records. Those known before come in their old order, which sorts in one walk. */
  fill(records: Iterable<LockRecord>): void {
    const before = this.#byRecord;
    this.#byRecord = new Map();
    const added: Entry[] = [];
    for (const record of records) {
      if (!this.#matches(record)) continue;
      const known = before.get(record);
      if (known) this.#reenter(known);
      else added.push(this.#enter(record));
    }
    const kept = this.#entries.filter((entry) => this.#byRecord.get(entry.record) === entry);
    this.#entries = kept.concat(added).sort(compare);
  }

  /** Takes in that these records changed; `isGone` says which are no longer in the table. */
  update(changed: ReadonlySet<LockRecord>, isGone: (record: LockRecord) => boolean): void {
    const fresh: Entry[] = [];
    let left = 0;
    for (const record of changed) {
      const before = this.#byRecord.get(record);
      const isMember = !isGone(record) && this.#matches(record);
      if (before && isMember && before.value === this.#valueOf(record)) continue;
      if (before) {
        before.isStale = true;
        this.#byRecord.delete(record);
        left++;
      }
      if (isMember) fresh.push(this.#enter(record));
    }
    const kept = left > 0 ? this.#entries.filter((entry) => !entry.isStale) : this.#entries;
    this.#entries = mergeSorted(kept, fresh.sort(compare));
  }

  #reenter(entry: Entry): void {
    entry.value = this.#valueOf(entry.record);
    this.#byRecord.set(entry.record, entry);
  }

  #enter(record: LockRecord): Entry {
    const entry = { record, key: record.key, value: this.#valueOf(record), isStale: false };
    this.#byRecord.set(record, entry);
    return entry;
  }
}
