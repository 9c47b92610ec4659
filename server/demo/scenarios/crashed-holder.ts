import type { Scenario } from './scenario';

export const crashedHolder: Scenario = {
  name: 'crashed-holder',
  summary: 'the process that holds payment:settlement is killed; its lease runs out',
  services: [],
  direct: async ({ fleet, pause, tell }) => {
    for (;;) {
      const holder = fleet.start('settlement', ['settlement']);
      await pause(35_000);
      holder.crash();
      tell('killed the holder of payment:settlement (kill -9)');
      await pause(45_000);
    }
  },
};
