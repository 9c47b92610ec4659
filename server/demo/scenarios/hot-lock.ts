import type { Scenario } from './scenario';

export const hotLock: Scenario = {
  name: 'hot-lock',
  summary:
    'twenty checkouts, eight of them of our own client, want two flash-sale locks all the time',
  services: ['hot-stock', 'checkout'],
  direct: null,
};
