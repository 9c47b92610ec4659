import type { Audience } from './audience.js';
import type { Hold } from './hold.js';

/** What a client does for each of its holds. */
export interface Household {
  keeper: HoldKeeper;
  /** Whether the task has, wants or asks for the lock. */
  isTaken: (task: string, key: string) => boolean;
  audience: Audience;
  reports: 'off' | 'contended' | 'all';
}

/** Whoever renews holds: told of each one's begin and end. */
export interface HoldKeeper {
  add: (hold: Hold) => void;
  remove: (hold: Hold) => void;
  /** The hold has to be looked at earlier than was known. */
  hurry: (hold: Hold) => void;
}
