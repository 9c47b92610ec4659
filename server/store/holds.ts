import type { Kysely } from 'kysely';
import type { Bytes } from '@/lib/protocol/bytes';
import type { OpenHold } from '@/server/state/table-contract';
import type { Backend } from './backend';
import { digestOf, textToBytes, toBlob } from './blob';
import { newestOfRuns } from './hold-runs';
import { LONG_HOLD_MS, type Schema } from './schema';
import { newest, newestFirst, selectHolds, toHoldRow, type HoldQuery } from './select-holds';
import { inOneView } from './series-names';
import type { HoldRow, Store } from './store-contract';

type HoldsQuery = Parameters<Store['holds']>[0];

/** Newest first; see the contract. A hold covers its start and not its end. */
export async function readHolds(backend: Backend, query: HoldsQuery): Promise<HoldRow[]> {
  const { key, limit } = query;
  const from = query.at ?? query.from;
  if (key !== undefined) return await holdsOfKey(backend, { ...query, key });
  const selected = select(backend.reader, query);
  if (from === undefined) return (await newest(selected, limit)).map(toHoldRow);
  const isLong = selected.where((eb) => eb('holds.is_long', '=', eb.lit(1)));
  if ((query.lastedMs ?? 0) >= LONG_HOLD_MS) return (await newest(isLong, limit)).map(toHoldRow);
  // Two ranges that an index answers: short holds began shortly before, the few long ones have an index.
  const [short, long] = await Promise.all([
    newest(
      selected
        .where('holds.start_at', '>', from - LONG_HOLD_MS)
        .where((eb) => eb('holds.is_long', '=', eb.lit(0))),
      limit,
    ),
    newest(isLong, limit),
  ]);
  return [...short, ...long].sort(newestFirst).slice(0, limit).map(toHoldRow);
}

async function holdsOfKey(
  backend: Backend,
  query: HoldsQuery & { key: Bytes },
): Promise<HoldRow[]> {
  const { target, db: number, key, at, from, to, limit } = query;
  const rows = await inOneView(backend, async (db) => {
    const locks = await db
      .selectFrom('locks')
      .innerJoin('targets', 'targets.id', 'locks.target_id')
      .select('locks.id')
      .where('locks.digest', '=', digestOf(key))
      .$if(number !== undefined, (q) => q.where('locks.db', '=', number ?? 0))
      .$if(target !== undefined, (q) =>
        q.where('targets.digest', '=', digestOf(textToBytes(target ?? ''))),
      )
      .execute();
    const lockIds = locks.map(({ id }) => id);
    const range = at === undefined ? { from, to } : { from: at, to: at + 1 };
    return await newestOfRuns(db, select(db, query), { lockIds, range, limit });
  });
  return rows.map(toHoldRow);
}

function select(db: Kysely<Schema>, query: HoldsQuery): HoldQuery {
  const { at, from, to, lastedMs } = query;
  return selectHolds(db)
    .$if(query.target !== undefined, (q) =>
      q.where('targets.digest', '=', digestOf(textToBytes(query.target ?? ''))),
    )
    .$if(query.db !== undefined, (q) => q.where('locks.db', '=', query.db ?? 0))
    .$if(query.key !== undefined, (q) => q.where('locks.digest', '=', digestOf(query.key ?? '')))
    .$if(query.class !== undefined, (q) =>
      q.where('series.class', '=', toBlob(textToBytes(query.class ?? ''))),
    )
    .$if(query.namespace !== undefined, (q) =>
      q.where('series.namespace', '=', toBlob(textToBytes(query.namespace ?? ''))),
    )
    .$if(query.owner !== undefined, (q) =>
      q.where('owner.digest', '=', digestOf(textToBytes(query.owner ?? ''))),
    )
    .$if(at !== undefined, (q) =>
      q
        .where('holds.start_at', '<=', at ?? 0)
        .where((eb) => eb.or([eb('holds.end_at', 'is', null), eb('holds.end_at', '>', at ?? 0)])),
    )
    .$if(from !== undefined, (q) =>
      q.where((eb) => eb.or([eb('holds.end_at', 'is', null), eb('holds.end_at', '>=', from ?? 0)])),
    )
    .$if(to !== undefined, (q) => q.where('holds.start_at', '<', to ?? 0))
    .$if(lastedMs !== undefined, (q) =>
      q.where((eb) =>
        eb.or([
          eb('holds.end_at', 'is', null),
          eb(eb('holds.end_at', '-', eb.ref('holds.start_at')), '>', lastedMs ?? 0),
        ]),
      ),
    );
}

export async function readOpenHolds(backend: Backend, target: string): Promise<OpenHold[]> {
  const rows = await selectHolds(backend.reader)
    .where('targets.digest', '=', digestOf(textToBytes(target)))
    .where('holds.end_at', 'is', null)
    .where((eb) => eb('holds.is_long', '=', eb.lit(1)))
    .orderBy('holds.start_at')
    .execute();
  return rows.map(toHoldRow).map(toOpenHold);
}

function toOpenHold(row: HoldRow): OpenHold {
  return {
    db: row.db,
    key: row.key,
    formatId: row.formatId,
    generation: row.past.generation,
    acquisitions: row.acquisitions,
    token: row.token,
    since: row.past.start,
    sinceEvidence: row.past.evidence,
    renewals: row.past.renewals,
    maxDepth: row.past.maxDepth,
  };
}
