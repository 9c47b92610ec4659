import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import type { Rollup, RollupsQuery, Tier } from './history-contract';
import { firstStep } from './page-rows';
import { partsOf, type StoredPart } from './page-reader';
import { decodeSketches, SketchTable } from './pages/sketch-page';
import { decodeSums, SumsTable } from './pages/sums-page';
import { planRuns, type Run } from './read-plan';
import { SKETCH_KINDS, type PageKind, type Schema } from './schema';
import { inOneView, targetIdOf, wantedSeries, type SeriesNames, type Wanted } from './series-names';
import { floorTo, readTierStates } from './tier-states';
import { createTurns, type Turns } from './turns';

export interface Reading {
  backend: Backend;
  names: SeriesNames;
  tiers: readonly Tier[];
}

/** What is added up to one: a step of the answer. */
interface Bucket {
  step: number;
  spanMs: number;
  sums: SumsTable;
  sketches: SketchTable;
}

/** See the contract. Where only a longer step than `stepMs` is kept, the answer has that. */
export async function readRollups(
  { backend, names, tiers }: Reading,
  query: RollupsQuery,
): Promise<Rollup[]> {
  // The figures of a class are no single lock's.
  if (query.level === 'class' && query.lock) return [];
  return await inOneView(backend, async (db) => {
    const targetId = await targetIdOf(db, query.target);
    if (targetId === null) return [];
    const wanted = await wantedSeries(db, targetId, query);
    const runs = planRuns(await readTierStates(db, targetId, tiers), query);
    const adding = { db, targetId, runs, query, wanted, buckets: new Map(), turns: createTurns() };
    await addSums(adding);
    if (query.sketches.length > 0) await addSketches(adding);
    return await toRollups(adding, names);
  });
}

interface Adding {
  db: Kysely<Schema>;
  targetId: number;
  runs: Run[];
  query: RollupsQuery;
  wanted: Wanted;
  buckets: Map<number, Bucket>;
  turns: Turns;
}

const kindOf = ({ level }: RollupsQuery, what: 'sums' | 'sketches'): PageKind => `${level}-${what}`;

async function addSums(adding: Adding): Promise<void> {
  const { db, targetId, runs, query, turns } = adding;
  const isWanted = wantedRows(query, adding.wanted);
  for await (const parts of partsOf(db, { targetId, runs, kind: kindOf(query, 'sums') })) {
    for (const part of parts) {
      bucketOf(adding, part).sums.addPage(decodeSums(part.bytes), isWanted);
      if (turns.isDue()) await turns.next();
    }
  }
}

function wantedRows({ level }: RollupsQuery, { classIds, lockIds }: Wanted) {
  if (!classIds && !lockIds) return undefined;
  return (id: number, classId: number): boolean =>
    (!classIds || classIds.has(level === 'class' ? id : classId)) && (!lockIds || lockIds.has(id));
}

function bucketOf({ buckets, query }: Adding, { step, spanMs }: StoredPart): Bucket {
  const { from, to, stepMs } = query;
  const span = stepMs === null ? to - from : Math.max(stepMs, spanMs);
  const start = stepMs === null ? from : floorTo(step, span);
  let bucket = buckets.get(start);
  if (!bucket) {
    bucket = { step: start, spanMs: span, sums: new SumsTable(), sketches: new SketchTable() };
    buckets.set(start, bucket);
  }
  return bucket;
}

async function addSketches(adding: Adding): Promise<void> {
  const { db, targetId, runs, query, turns } = adding;
  const kinds = query.sketches.map((kind) => SKETCH_KINDS.indexOf(kind));
  for await (const parts of partsOf(db, { targetId, runs, kind: kindOf(query, 'sketches') })) {
    for (const part of parts) {
      const { sums, sketches } = bucketOf(adding, part);
      const page = decodeSketches(part.bytes);
      for (const kind of kinds) {
        for (const { id, bytes } of page.ofKind(kind)) {
          if (!sums.has(id)) continue;
          sketches.add(kind, id, bytes);
          if (turns.isDue()) await turns.next();
        }
      }
    }
  }
}

async function toRollups({ db, query, buckets, turns }: Adding, names: SeriesNames) {
  const ordered = [...buckets.values()].sort((a, b) => a.step - b.step);
  const ids = new Set(ordered.flatMap(({ sums }) => [...sums.ids]));
  const nameOf = await names.of(db, [...ids]);
  const rollups: Rollup[] = [];
  for (const { step, spanMs, sums, sketches } of ordered) {
    for (const [slot, id] of sums.ids.entries()) {
      const name = nameOf.get(id);
      if (!name) continue;
      const distributions: Rollup['sketches'] = {};
      for (const kind of query.sketches) {
        const bytes = sketches.of(SKETCH_KINDS.indexOf(kind), id);
        if (bytes) distributions[kind] = bytes;
      }
      rollups.push({ ...name, ...sums.sumsAt(slot), step, spanMs, sketches: distributions });
      if (turns.isDue()) await turns.next();
    }
  }
  return rollups;
}

/** Start of the oldest step kept of a target. */
export async function firstRollupAt(
  { backend, tiers }: Reading,
  target: string,
): Promise<number | null> {
  return await inOneView(backend, async (db) => {
    const targetId = await targetIdOf(db, target);
    return targetId === null ? null : await firstOfTarget(db, targetId, tiers);
  });
}

/** A long step begins before what was first seen in it: the shortest step that begins within it tells when that was. */
async function firstOfTarget(
  db: Kysely<Schema>,
  targetId: number,
  tiers: readonly Tier[],
): Promise<number | null> {
  const states = await readTierStates(db, targetId, tiers);
  let first: { step: number; spanMs: number } | null = null;
  for (const { spanMs, from } of states.toReversed()) {
    const step = await firstStep(db, { targetId, spanMs, from });
    if (step !== null && (first === null || step < first.step + first.spanMs)) {
      first = { step, spanMs };
    }
  }
  return first?.step ?? null;
}
