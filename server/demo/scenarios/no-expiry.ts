import type { Scenario } from './scenario';

export const noExpiry: Scenario = {
  name: 'no-expiry',
  summary: 'two locks without a time to live: a deployment that died, and a library default',
  services: ['migration'],
  direct: null,
};
