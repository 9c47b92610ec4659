import { BLAME_CAUSES } from '@/lib/protocol/closed-sets';
import type { BlameCause } from '@/server/store/history-contract';
import { corruptPage, decodeBlock, encodeBlock, toFloats } from './column-block';

const CLASS_ID = 0;
const LOCK_ID = 1;
const CAUSE = 2;
/** Place in the list of owners, from 1; 0 = none. */
const OWNER = 3;
const WAITER_MS = 4;
const OWNER_END = 5;
const OWNER_HEAP = 6;

/** Waiting time by its cause, with series by their numbers. */
export interface BlameEntry {
  classId: number;
  /** 0 = the class, no single lock. */
  lockId: number;
  cause: BlameCause;
  owner: string | null;
  waiterMs: number;
}

export interface BlamePage {
  readonly rows: number;
  readonly bound: number;
  entries: () => Generator<BlameEntry>;
}

/** Throws INTERNAL for bytes that no {@link BlameTable} wrote. */
export function decodeBlame(stored: Uint8Array): BlamePage {
  const block = decodeBlock(stored, 'blame');
  const classIds = block.ids(CLASS_ID);
  if (classIds.length !== block.rows) throw corruptPage('waiting time without a class');
  const [lockIds, causes, owners, waiterMs] = [LOCK_ID, CAUSE, OWNER, WAITER_MS].map(
    (id) => block.column(id, false)?.values,
  );
  const names = ownersIn(block.ids(OWNER_END), block.bytes(OWNER_HEAP));
  return {
    rows: block.rows,
    bound: block.bound,
    *entries() {
      for (let i = 0; i < classIds.length; i++) {
        const cause = BLAME_CAUSES[causes?.[i] ?? 0];
        const place = owners?.[i] ?? 0;
        const owner = place === 0 ? null : names[place - 1];
        if (cause === undefined || owner === undefined) throw corruptPage('a cause is not known');
        yield {
          classId: classIds[i] ?? 0,
          lockId: lockIds?.[i] ?? 0,
          cause,
          owner,
          waiterMs: waiterMs?.[i] ?? 0,
        };
      }
    },
  };
}

function ownersIn(ends: Uint32Array, heap: Uint8Array): string[] {
  const text = new TextDecoder();
  let from = 0;
  return Array.from(ends, (end) => {
    if (end < from || end > heap.length) throw corruptPage('an owner lies outside of it');
    const name = text.decode(heap.subarray(from, end));
    from = end;
    return name;
  });
}

const keyOf = ({ classId, lockId, cause, owner }: BlameEntry): string =>
  `${classId}:${lockId}:${cause}:${owner ?? ''}`;

/** Waiting time by its cause, to be added to. */
export class BlameTable {
  readonly #entries = new Map<string, BlameEntry>();
  /** What an entry that was counted among the others has weighed at most. */
  bound = 0;

  get entries(): BlameEntry[] {
    return [...this.#entries.values()];
  }

  add(entry: BlameEntry): void {
    const key = keyOf(entry);
    const known = this.#entries.get(key);
    if (known) known.waiterMs += entry.waiterMs;
    else this.#entries.set(key, { ...entry });
  }

  encode(): Uint8Array {
    const rows = this.entries.sort((a, b) => a.classId - b.classId || a.lockId - b.lockId);
    const names = [...new Set(rows.flatMap(({ owner }) => (owner === null ? [] : [owner])))];
    const placeOf = new Map(names.map((name, i) => [name, i + 1]));
    const heap = names.map((name) => Buffer.from(name, 'utf8'));
    const ends = new Uint32Array(names.length);
    let end = 0;
    for (const [i, { length }] of heap.entries()) ends[i] = end += length;
    const numbers = (id: number, of: (row: BlameEntry) => number) => ({
      id,
      values: toFloats(rows.map(of)),
      nullable: false,
    });
    return encodeBlock({
      shape: 'blame',
      rows: rows.length,
      bound: this.bound,
      columns: [
        { id: CLASS_ID, ids: Uint32Array.from(rows, ({ classId }) => classId) },
        numbers(LOCK_ID, ({ lockId }) => lockId),
        numbers(CAUSE, ({ cause }) => BLAME_CAUSES.indexOf(cause)),
        numbers(OWNER, ({ owner }) => (owner === null ? 0 : (placeOf.get(owner) ?? 0))),
        numbers(WAITER_MS, ({ waiterMs }) => waiterMs),
        { id: OWNER_END, ids: ends },
        { id: OWNER_HEAP, bytes: Buffer.concat(heap) },
      ],
    });
  }
}
