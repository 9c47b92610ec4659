import type { Scenario } from './scenario';

export const hotLock: Scenario = {
  name: 'hot-lock',
  summary: 'twelve checkouts want one lock, inventory:flash-sale, all the time',
  services: ['hot-stock'],
  direct: null,
};
