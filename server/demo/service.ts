import type { Redis } from 'ioredis';
import type { Random } from './random';

export interface RedisAddress {
  host: string;
  port: number;
  password: string;
}

/** What a service of the fleet gets to work with. */
export interface ServiceContext {
  address: RedisAddress;
  random: Random;
  /** A connection of the service's own, closed when the process ends. */
  connect: () => Redis;
  pause: (ms: number) => Promise<void>;
  /** Says something unexpected on stderr; the service goes on. */
  report: (error: unknown) => void;
}

/** One service of the fleet: runs until its process ends. */
export type Service = (context: ServiceContext) => Promise<void>;

/** Repeats `work` with a pause of `fromMs`…`toMs` between, for as long as the process lives. */
export async function forever(
  context: ServiceContext,
  [fromMs, toMs]: readonly [number, number],
  work: () => Promise<void>,
): Promise<never> {
  for (;;) {
    await context.pause(context.random.between(fromMs, toMs));
    try {
      await work();
    } catch (error) {
      context.report(error);
    }
  }
}
