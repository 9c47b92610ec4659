import type { Redis } from 'ioredis';
import type { Fleet } from '@/server/demo/fleet';
import type { ServiceName } from '@/server/demo/services';

/** What a scenario that acts by itself may touch. */
export interface Stage {
  redis: Redis;
  fleet: Fleet;
  pause: (ms: number) => Promise<void>;
  /** Tells the person at the terminal what just happened. */
  tell: (sentence: string) => void;
}

/** Played above the healthy fleet. */
export interface Scenario {
  name: string;
  /** One line for `npm run demo -- help`. */
  summary: string;
  /** Services that one more worker process runs. */
  services: ServiceName[];
  /** What else happens, until the demo ends. */
  direct: ((stage: Stage) => Promise<void>) | null;
}
