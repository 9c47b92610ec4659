import type { Scenario } from './scenario';

export const deadlock: Scenario = {
  name: 'deadlock',
  summary: 'two transfers take account:4711 and account:4712 crosswise and wait for each other',
  services: ['transfers'],
  direct: null,
};
