import type { Scenario } from './scenario';

export const flush: Scenario = {
  name: 'flush',
  summary: 'somebody runs FLUSHDB now and then; every lock is gone without an event',
  services: [],
  direct: async ({ redis, pause, tell }) => {
    for (;;) {
      await pause(20_000);
      await redis.flushdb();
      tell('ran FLUSHDB');
      await pause(40_000);
    }
  },
};
