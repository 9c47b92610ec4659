import { sql } from 'kysely';
import { END_REASONS, HOLD_NOTES } from '@/lib/protocol/closed-sets';
import type { Backend } from './backend';
import { digestOf, textFromBlob, textToBytes, toBlob } from './blob';
import { LOST_REASONS } from '@/lib/protocol/lock';
import { LONG_HOLD_MS } from './schema';
import type { Store } from './store-contract';

type Query = Parameters<Store['heldPerStep']>[0];
type Cells = Awaited<ReturnType<Store['heldPerStep']>>;

interface Piece {
  id: number;
  series_id: number;
  step: number;
  held: number;
  started: number;
  lost: number;
}

/**
 * Holds cut at the step borders and summed by class, for the `rows` owners that held longest. The cutting
 * is done by the database: a week of holds never enters this process. An open hold counts until `now`.
 */
export async function heldPerStep(backend: Backend, query: Query, now: number): Promise<Cells> {
  if (query.to <= query.from) return [];
  const { rows: pieces } = await piecesQuery(query, now).execute(backend.reader);
  const [labels, series] = await Promise.all([
    ownersOf(backend, [...new Set(pieces.map(({ id }) => id))]),
    seriesOf(backend, [...new Set(pieces.map((piece) => piece.series_id))]),
  ]);
  return hottestFirst(pieces).map((piece) => ({
    label: labels.get(piece.id) ?? '',
    ...(series.get(piece.series_id) ?? { class: '', namespace: '' }),
    step: piece.step,
    heldMs: piece.held,
    acquisitions: piece.started,
    lost: piece.lost,
  }));
}

function piecesQuery(query: Query, now: number) {
  const { from, to, stepMs, rows } = query;
  const number = (value: number) => sql.lit(Math.trunc(value));
  const [f, t, s] = [number(from), number(to), number(stepMs)];
  const lost = sql.join(LOST_REASONS.map((reason) => number(END_REASONS.indexOf(reason))));
  const columns = sql`owner_id as id, series_id, start_at,
    coalesce(end_at, case when start_at > ${number(now)} then start_at else ${number(now)} end) as end_at,
    case when end_at >= ${f} and end_at < ${t} and end_reason in (${lost})
      and notes & ${number(1 << HOLD_NOTES.indexOf('finished-kept'))} = 0
      then (end_at / ${s}) * ${s} end as lost_step`;
  return sql<Piece>`
    with recursive spans as (
      select ${columns} from holds
      where is_long = 0 and start_at > ${number(from - LONG_HOLD_MS)} and start_at < ${t}
        and end_at >= ${f} and owner_id is not null and series_id in (${seriesAskedFor(query)})
      union all
      select ${columns} from holds
      where is_long = 1 and start_at < ${t} and (end_at is null or end_at >= ${f})
        and owner_id is not null and series_id in (${seriesAskedFor(query)})
    ), clipped as (
      select id, series_id, start_at, lost_step,
        case when start_at < ${f} then ${f} else start_at end as low,
        case when end_at > ${t} then ${t} else end_at end as high
      from spans
    ), hottest as (
      select id from clipped group by id order by sum(high - low) desc, id limit ${number(rows)}
    ), pieces as (
      select clipped.id, series_id, start_at, lost_step, low, high, (low / ${s}) * ${s} as step
      from clipped inner join hottest on hottest.id = clipped.id
      union all
      select id, series_id, start_at, lost_step, low, high, step + ${s} from pieces
      where step + ${s} <= high and step + ${s} < ${t}
    )
    select id, series_id, step,
      cast(sum(
        case when high < step + ${s} then high else step + ${s} end
        - case when low > step then low else step end) as bigint) as held,
      cast(sum(case when start_at >= ${f} and start_at >= step and start_at < step + ${s}
        then 1 else 0 end) as bigint) as started,
      cast(sum(case when lost_step = step then 1 else 0 end) as bigint) as lost
    from pieces group by id, series_id, step order by id, step, series_id`;
}

function seriesAskedFor({ target, namespace, class: lockClass }: Query) {
  const isOf = (column: string, text: string | undefined) =>
    text === undefined ? sql`` : sql`and series.${sql.raw(column)} = ${toBlob(textToBytes(text))}`;
  return sql`select series.id from series inner join targets on targets.id = series.target_id
    where targets.digest = ${digestOf(textToBytes(target))} and series.lock_id is null
      ${isOf('namespace', namespace)} ${isOf('class', lockClass)}`;
}

/** The owner of every number asked for. */
async function ownersOf(backend: Backend, ids: readonly number[]): Promise<Map<number, string>> {
  const owners = new Map<number, string>();
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await backend.reader
      .selectFrom('words')
      .select(({ fn, ref }) => ['id', fn.coalesce(ref('bytes'), ref('digest')).as('value')])
      .where('id', 'in', ids.slice(at, at + 500))
      .execute();
    for (const { id, value } of rows) owners.set(id, textFromBlob(value));
  }
  return owners;
}

async function seriesOf(
  backend: Backend,
  ids: readonly number[],
): Promise<Map<number, { class: string; namespace: string }>> {
  const names = new Map<number, { class: string; namespace: string }>();
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await backend.reader
      .selectFrom('series')
      .select(['id', 'class', 'namespace'])
      .where('id', 'in', ids.slice(at, at + 500))
      .execute();
    for (const row of rows) {
      names.set(row.id, {
        class: textFromBlob(row.class),
        namespace: textFromBlob(row.namespace),
      });
    }
  }
  return names;
}

function hottestFirst(pieces: readonly Piece[]): Piece[] {
  const held = new Map<number, number>();
  for (const { id, held: ms } of pieces) held.set(id, (held.get(id) ?? 0) + ms);
  const heldOf = ({ id }: Piece): number => held.get(id) ?? 0;
  return [...pieces].sort((a, b) => heldOf(b) - heldOf(a) || a.id - b.id || a.step - b.step);
}
