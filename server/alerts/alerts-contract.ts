import type { Alert } from '@/lib/protocol/alert';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Finding } from '@/server/analysers/finding';

/** Findings get a life here. No clock, no I/O: `now` is handed in, the caller saves what it returns. */
export interface AlertBook {
  /** The findings as they are at `now`: opens, updates and resolves. Returns the alerts that changed. */
  update: (findings: readonly Finding[], now: number) => Alert[];
  /** Throws NOT_FOUND. */
  acknowledge: (id: string, actor: string, reason: string, now: number) => Alert;
  /** Silences until `untilMs` (epoch ms), or one hour. Throws NOT_FOUND. */
  silence: (
    id: string,
    actor: string,
    reason: string,
    untilMs: number | undefined,
    now: number,
  ) => Alert;
  restore: (alerts: readonly Alert[]) => void;
  /** Open alerts, most severe and oldest first. */
  open: () => Alert[];
  get: (id: string) => Alert | undefined;
  /** Codes of the open alerts about one lock. */
  codesFor: (db: number, key: Bytes) => string[];
  readonly version: number;
}
