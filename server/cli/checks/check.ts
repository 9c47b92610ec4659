import type { Redis } from 'ioredis';
import type { Settings } from '@/server/config';
import type { ServerFacts } from '@/server/watch/server-facts';

/** `unknown`: it could not be found out, and the message says why. */
export type CheckState = 'ok' | 'warn' | 'fail' | 'unknown';

export interface Verdict {
  state: CheckState;
  /** One sentence. */
  message: string;
  /** What to do, or a command to paste; null where there is nothing to mend. */
  remedy: string | null;
}

export interface CheckResult extends Verdict {
  id: string;
}

/** What a check looks at. Every check reads, and none changes anything. */
export interface Patient {
  settings: Settings;
  /** Before every lock's name. */
  prefix: string;
  /** On the db of the settings. */
  redis: Redis;
  inDb: (db: number) => Promise<Redis>;
  facts: ServerFacts;
  /** The fields of INFO; null when this user may not ask. */
  info: ReadonlyMap<string, string> | null;
  /** A server setting; null when this user may not ask, or the server does not know it. */
  config: (name: string) => Promise<string | null>;
  /** Epoch ms. */
  now: () => number;
}

export interface Check {
  id: string;
  run: (patient: Patient) => Promise<Verdict> | Verdict;
}

/** A check of the settings alone, which needs no Redis. */
export interface SettingsCheck {
  id: string;
  run: (settings: Settings) => Verdict;
}

export const ok = (message: string): Verdict => ({ state: 'ok', message, remedy: null });
export const warn = (message: string, remedy: string): Verdict => ({
  state: 'warn',
  message,
  remedy,
});
export const fail = (message: string, remedy: string): Verdict => ({
  state: 'fail',
  message,
  remedy,
});
export const unknown = (message: string, remedy: string | null = null): Verdict => ({
  state: 'unknown',
  message,
  remedy,
});
