import type { BlameQuery, BlameRow } from './history-contract';
import { partsOf } from './page-reader';
import { BlameTable, decodeBlame } from './pages/blame-page';
import { planRuns } from './read-plan';
import type { Reading } from './rollups-read';
import { inOneView, targetIdOf, wantedSeries } from './series-names';
import { readTierStates } from './tier-states';
import { createTurns } from './turns';

/** Waiting time by cause, added up over the range; steps that reach into it count whole. */
export async function readBlame(
  { backend, names, tiers }: Reading,
  query: BlameQuery,
): Promise<BlameRow[]> {
  const { from, to } = query;
  return await inOneView(backend, async (db) => {
    const targetId = await targetIdOf(db, query.target);
    if (targetId === null) return [];
    const { classIds, lockIds } = await wantedSeries(db, targetId, query);
    const runs = planRuns(await readTierStates(db, targetId, tiers), { from, to, stepMs: null });
    const table = new BlameTable();
    const turns = createTurns();
    for await (const parts of partsOf(db, { targetId, runs, kind: 'blame' })) {
      for (const { bytes } of parts) {
        for (const entry of decodeBlame(bytes).entries()) {
          if (classIds && !classIds.has(entry.classId)) continue;
          if (lockIds && !lockIds.has(entry.lockId)) continue;
          table.add(entry);
          if (turns.isDue()) await turns.next();
        }
      }
    }
    const { entries } = table;
    const seriesId = ({ classId, lockId }: (typeof entries)[number]) => lockId || classId;
    const nameOf = await names.of(db, [...new Set(entries.map(seriesId))]);
    const rows: BlameRow[] = [];
    for (const entry of entries) {
      const name = nameOf.get(seriesId(entry));
      const { cause, owner, waiterMs } = entry;
      if (name) rows.push({ ...name, cause, owner, waiterMs, step: from, spanMs: to - from });
      if (turns.isDue()) await turns.next();
    }
    return rows;
  });
}
