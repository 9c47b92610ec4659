import type { SightObservation } from './observation';
import type { CanaryVerdict } from './canary';
import { isBlind, judgeSight, NO_PROOF, sameSight, type Sight } from './sight';
import type { EventMode } from './subscription';

/** Remembers what can be seen, and since when not. */
export interface SightKeeper {
  readonly sight: Sight | null;
  readonly canaryMs: number | null;
  readonly canaryAt: number | null;
  /** Takes a verdict; `verdict` null = no canary could be run (no events at all). */
  judge: (
    verdict: CanaryVerdict | null,
    facts: { flags: string | null; mode: EventMode },
  ) => {
    /** To be sent when what can be seen has changed. */
    observation: SightObservation | null;
    /** Sight was lost with this verdict; events are missing since `since`. */
    lost: { since: number } | null;
    regained: boolean;
  };
}

export function createSightKeeper(now: () => number): SightKeeper {
  let sight: Sight | null = null;
  let canaryMs: number | null = null;
  let canaryAt: number | null = null;
  let lastClearAt: number | null = null;
  return {
    get sight() {
      return sight;
    },
    get canaryMs() {
      return canaryMs;
    },
    get canaryAt() {
      return canaryAt;
    },
    judge: (verdict, facts) => {
      const at = now();
      const next = judgeSight({ canary: verdict?.proof ?? NO_PROOF, ...facts });
      const wasBlind = sight !== null && isBlind(sight);
      const blind = isBlind(next);
      if (verdict && verdict.refusal === null) {
        canaryMs = verdict.ms;
        canaryAt = at;
      }
      const changed = !sameSight(sight, next);
      sight = next;
      const lost = blind && !wasBlind && lastClearAt !== null ? { since: lastClearAt } : null;
      if (!blind) lastClearAt = at;
      return {
        observation: changed ? { kind: 'sight', at, canSee: next.canSee } : null,
        lost,
        regained: wasBlind && !blind,
      };
    },
  };
}
