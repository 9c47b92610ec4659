import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Ending, Finding } from '@/server/analysers/finding';
import type { SightNow } from './doubt';

/** Findings get a life here. No clock, no I/O: `now` is handed in, the caller saves what it returns. */
export interface AlertBook {
  /**
   * The findings as they are at `now`: opens, updates and resolves. Returns the alerts that changed. Without `sight`
   * everything is seen.
   */
  update: (findings: readonly Finding[], now: number, sight?: SightNow) => Alert[];
  /** How conditions ended: told by the next {@link update}, of those that it does not find any more. */
  noteEndings: (endings: readonly Ending[]) => void;
  /** Throws NOT_FOUND, and CONFLICT for one that has not fired. */
  acknowledge: (id: string, actor: string, reason: string, now: number) => Alert;
  /** Silences until `untilMs` (epoch ms), or one hour. Throws NOT_FOUND, and CONFLICT for one that has not fired. */
  silence: (
    id: string,
    actor: string,
    reason: string,
    untilMs: number | undefined,
    now: number,
  ) => Alert;
  /**
   * Those that are open go on. Those that are resolved return when they are found within 30 s of the next pass: the
   * caller hands in such as could still have returned when the console before this one ended.
   */
  restore: (alerts: readonly Alert[]) => void;
  /** Open alerts, most severe and oldest first. */
  open: () => Alert[];
  /** Those that were resolved of late, newest first: the store may not have their end yet. */
  ended: () => Alert[];
  get: (id: string) => Alert | undefined;
  /** Codes of the alerts about one lock that have fired and are open. */
  codesFor: (db: number, key: Bytes) => string[];
  /** Lines of timelines that are not saved yet, of one alert or all: the caller saves them after the alerts. */
  unsavedEvents: (id?: string) => AlertEvent[];
  /** They are saved: none of them is told of again. */
  forgetEvents: (saved: readonly AlertEvent[]) => void;
  /** Of what times (epoch ms) lines were given up since this was asked last: the store was broken, and there were too many. */
  takeGivenUp: () => number[];
  readonly version: number;
}
