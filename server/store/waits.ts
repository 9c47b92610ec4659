import { EVIDENCES, WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Backend } from './backend';
import { digestOf, fromBlob, textFromBlob, textToBytes, toBlob } from './blob';
import type { Dictionary } from './dictionary';
import type { WaitRow, WaitsQuery } from './history-contract';
import { waitRank } from './schema';
import { selectHolds, toHoldRow } from './select-holds';

/** No wait lasts 2^64 ms. */
const BEYOND_ALL = 64;

const LEFT_COLUMNS = [
  ['end_at', 'bigint'],
  ['lock_id', 'bigint'],
  ['owner_id', 'bigint'],
  ['start_at', 'bigint'],
  ['series_id', 'bigint'],
  ['source', 'integer'],
  ['evidence', 'integer'],
  ['wait_rank', 'integer'],
] as const;

/** Those below `LEAST_WAIT_MS` are left out: an attempt that does not wait is none. Call one at a time. */
export async function writeLeftWaits(
  backend: Backend,
  dictionary: Dictionary,
  rows: readonly WaitRow[],
): Promise<void> {
  const worth = rows.filter(({ start, end }) => waitRank(end - start) !== null);
  if (worth.length === 0) return;
  const locks = await dictionary.locks(worth);
  const series = await dictionary.series(worth.map((row) => ({ ...row, lock: null })));
  const owners = worth.flatMap(({ owner }) => (owner === null ? [] : [textToBytes(owner)]));
  const ownerIds = (await dictionary.words(owners)).values();
  const values = worth.map((row, i) => [
    row.end,
    locks[i],
    row.owner === null ? 0 : ownerIds.next().value,
    Math.round(row.start),
    series[i],
    WAIT_SOURCES.indexOf(row.source),
    EVIDENCES.indexOf(row.evidence),
    waitRank(row.end - row.start),
  ]);
  await backend.writeRows([
    {
      verb: 'insert',
      table: 'left_waits',
      columns: LEFT_COLUMNS,
      rows: values,
      onConflict: 'on conflict (end_at, lock_id, owner_id, start_at) do nothing',
    },
  ]);
}

/** See the contract. Each order of magnitude is one range of an index. */
export async function readWaits(backend: Backend, query: WaitsQuery): Promise<WaitRow[]> {
  const isLongest = query.order === 'longest';
  const mayStop = isLongest && query.at === undefined;
  const found = mayStop ? await longest(backend, query) : await ofEachRank(backend, query);
  return found.sort(isLongest ? longestFirst : newestFirst).slice(0, query.limit);
}

/** From the greatest down, so that the longest are found without a look at the many short ones. */
async function longest(backend: Backend, query: WaitsQuery): Promise<WaitRow[]> {
  const found: WaitRow[] = [];
  let rank = await nextRank(backend, BEYOND_ALL);
  // Of a lower rank none is longer than those that are there.
  while (rank !== null && found.length < query.limit) {
    found.push(...(await grantedOf(backend, query, rank)), ...(await leftOf(backend, query, rank)));
    rank = await nextRank(backend, rank);
  }
  return found;
}

/** Where none can be done without, all are asked at once: on a busy server each further question has to wait. */
async function ofEachRank(backend: Backend, query: WaitsQuery): Promise<WaitRow[]> {
  const highest = (await nextRank(backend, BEYOND_ALL)) ?? -1;
  const ranks = Array.from({ length: highest + 1 }, (_, rank) => rank);
  const found = await Promise.all(
    ranks.flatMap((rank) => [grantedOf(backend, query, rank), leftOf(backend, query, rank)]),
  );
  return found.flat();
}

const lengthOf = ({ start, end }: WaitRow): number => end - start;
const longestFirst = (a: WaitRow, b: WaitRow): number => lengthOf(b) - lengthOf(a) || b.end - a.end;
const newestFirst = (a: WaitRow, b: WaitRow): number => b.end - a.end || lengthOf(b) - lengthOf(a);

async function nextRank(backend: Backend, below: number): Promise<number | null> {
  const ranks = await Promise.all(
    (['holds', 'left_waits'] as const).map((table) =>
      backend.reader
        .selectFrom(table)
        .select('wait_rank')
        .where('wait_rank', '<', below)
        .orderBy('wait_rank', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  const known = ranks.flatMap((row) => (row && row.wait_rank !== null ? [row.wait_rank] : []));
  return known.length === 0 ? null : Math.max(...known);
}

/** When waits of a rank ended that are asked for: an exact range, or for a moment how long they last at most. */
function endRange({ at, from, to }: WaitsQuery, rank: number): { from: number; to: number } {
  return at === undefined ? { from, to } : { from: at + 1, to: at + 2 ** (rank + 1) + 1 };
}

async function grantedOf(backend: Backend, query: WaitsQuery, rank: number): Promise<WaitRow[]> {
  const { from, to } = endRange(query, rank);
  const { at, lock, order } = query;
  const rows = await selectHolds(backend.reader)
    .where('holds.wait_rank', '=', rank)
    .where('holds.start_at', '>=', from)
    .where('holds.start_at', '<', to)
    .where('targets.digest', '=', digestOf(textToBytes(query.target)))
    .$if(query.namespace !== undefined, (q) =>
      q.where('series.namespace', '=', toBlob(textToBytes(query.namespace ?? ''))),
    )
    .$if(query.class !== undefined, (q) =>
      q.where('series.class', '=', toBlob(textToBytes(query.class ?? ''))),
    )
    .$if(lock !== undefined, (q) =>
      q.where('locks.db', '=', lock?.db ?? 0).where('locks.digest', '=', digestOf(lock?.key ?? '')),
    )
    .$if(at !== undefined, (q) =>
      q.where((eb) => eb(eb('holds.start_at', '-', eb.ref('holds.waited_ms')), '<=', at ?? 0)),
    )
    .$if(order === 'longest', (q) => q.orderBy('holds.waited_ms', 'desc'))
    .orderBy('holds.start_at', 'desc')
    .limit(query.limit)
    .execute();
  return rows.map(toHoldRow).flatMap(({ past, waited, ...row }): WaitRow[] =>
    waited === null
      ? []
      : [
          {
            target: row.target,
            db: row.db,
            key: row.key,
            class: row.class,
            namespace: row.namespace,
            formatId: row.formatId,
            owner: past.owner,
            start: Math.round(past.start - waited.ms),
            end: past.start,
            source: waited.source,
            evidence: waited.evidence,
            outcome: 'granted',
          },
        ],
  );
}

async function leftOf(backend: Backend, query: WaitsQuery, rank: number): Promise<WaitRow[]> {
  const { from, to } = endRange(query, rank);
  const { at, lock, order } = query;
  const rows = await backend.reader
    .selectFrom('left_waits')
    .innerJoin('locks', 'locks.id', 'left_waits.lock_id')
    .innerJoin('series', 'series.id', 'left_waits.series_id')
    .innerJoin('targets', 'targets.id', 'locks.target_id')
    .leftJoin('words as owner', 'owner.id', 'left_waits.owner_id')
    .selectAll('left_waits')
    .select(({ fn, ref }) => [
      'locks.db as db',
      'series.format as format',
      'series.class as class',
      'series.namespace as namespace',
      fn.coalesce(ref('targets.bytes'), ref('targets.digest')).as('target'),
      fn.coalesce(ref('locks.bytes'), ref('locks.digest')).as('key'),
      fn.coalesce(ref('owner.bytes'), ref('owner.digest')).as('owner'),
    ])
    .where('left_waits.wait_rank', '=', rank)
    .where('left_waits.end_at', '>=', from)
    .where('left_waits.end_at', '<', to)
    .where('targets.digest', '=', digestOf(textToBytes(query.target)))
    .$if(query.namespace !== undefined, (q) =>
      q.where('series.namespace', '=', toBlob(textToBytes(query.namespace ?? ''))),
    )
    .$if(query.class !== undefined, (q) =>
      q.where('series.class', '=', toBlob(textToBytes(query.class ?? ''))),
    )
    .$if(lock !== undefined, (q) =>
      q.where('locks.db', '=', lock?.db ?? 0).where('locks.digest', '=', digestOf(lock?.key ?? '')),
    )
    .$if(at !== undefined, (q) => q.where('left_waits.start_at', '<=', at ?? 0))
    .$if(order === 'longest', (q) =>
      q.orderBy((eb) => eb('left_waits.end_at', '-', eb.ref('left_waits.start_at')), 'desc'),
    )
    .orderBy('left_waits.end_at', 'desc')
    .limit(query.limit)
    .execute();
  return rows.map((row) => ({
    target: textFromBlob(row.target),
    db: row.db,
    key: fromBlob(row.key),
    class: textFromBlob(row.class),
    namespace: textFromBlob(row.namespace),
    formatId: row.format,
    owner: row.owner && textFromBlob(row.owner),
    start: row.start_at,
    end: row.end_at,
    source: WAIT_SOURCES[row.source] ?? 'report',
    evidence: EVIDENCES[row.evidence] ?? 'unknown',
    outcome: 'left',
  }));
}
