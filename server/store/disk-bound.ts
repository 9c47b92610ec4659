import type { Backend } from './backend';
import type { Retention } from './history-contract';
import { saveCut } from './kept';
import { firstStep } from './page-rows';
import { cutTier, removeHolds, removeLeftWaits, REMOVED_AT_ONCE, toldBefore } from './retention';
import { readTierStates } from './tier-states';

/** What a hold takes at most with its names; when those that are to go are gone, it is measured again. */
const HOLD_BYTES = 1000;
/** After nothing was found that could go. */
const REST_MS = 60_000;
/** Steps that a tier is cut by at a time. */
const STEPS_AT_ONCE = 20;

interface Bounding {
  backend: Backend;
  retention: Retention;
  /** Epoch ms. */
  now: number;
}

/** Keeps the database below its bound: the oldest holds go first, then pages, the shortest steps first. */
export interface DiskBound {
  /** Looks how much there is; true = something has to go. */
  measure: (bounding: Bounding) => Promise<boolean>;
  /** Removes some of it. False = all that was found too much is gone. */
  step: (bounding: Bounding) => Promise<boolean>;
}

export function createDiskBound(): DiskBound {
  let holdsToGo = 0;
  let restsUntil = -Infinity;
  return {
    measure: async ({ backend, retention: { maxBytes } }) => {
      if (maxBytes === null || performance.now() < restsUntil) return false;
      const used = await backend.usedBytes();
      if (used === null || used <= maxBytes) return false;
      holdsToGo = Math.ceil((used - maxBytes) / HOLD_BYTES);
      return true;
    },
    step: async (bounding) => {
      const { backend, now } = bounding;
      if (holdsToGo <= 0) return false;
      holdsToGo -= REMOVED_AT_ONCE;
      const isCut = (await removeOldest(backend)) || (await cutOldest(bounding));
      if (isCut) await saveCut(backend, now);
      else holdsToGo = 0;
      restsUntil = performance.now() + (isCut ? backend.countsLateMs : REST_MS);
      return isCut;
    },
  };
}

/** Waits go with the holds of their time. */
async function removeOldest(backend: Backend): Promise<boolean> {
  if (await removeHolds(backend, Number.MAX_SAFE_INTEGER)) {
    await removeLeftWaits(backend, await oldestEnded(backend));
    return true;
  }
  return await removeLeftWaits(backend, Number.MAX_SAFE_INTEGER);
}

/** Start of the oldest hold that ended; the end of time where there is none. */
export async function oldestEnded(backend: Backend): Promise<number> {
  const row = await backend.db
    .selectFrom('holds')
    .select('start_at')
    .where('end_at', 'is not', null)
    .orderBy('start_at')
    .limit(1)
    .executeTakeFirst();
  return row?.start_at ?? Number.MAX_SAFE_INTEGER;
}

/** Cuts the oldest pages off the shortest tier that has any which a longer one tells as well. */
async function cutOldest({ backend, retention: { tiers }, now }: Bounding): Promise<boolean> {
  const targets = await backend.db.selectFrom('targets').select('id').execute();
  for (const { spanMs } of tiers) {
    for (const { id: targetId } of targets) {
      const states = await readTierStates(backend.db, targetId, tiers);
      const state = states.find((one) => one.spanMs === spanMs);
      if (!state) continue;
      const first = await firstStep(backend.db, { targetId, spanMs, from: state.from });
      if (first === null) continue;
      const most = Math.min(toldBefore(states, state, tiers), now - spanMs);
      const to = Math.min(most, first + STEPS_AT_ONCE * spanMs);
      if (to <= first) continue;
      if ((await cutTier(backend, { targetId, state, to })).from > state.from) return true;
    }
  }
  return false;
}
