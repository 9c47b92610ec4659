import type { Scenario } from './scenario';

export const deadlock: Scenario = {
  name: 'deadlock',
  summary:
    'two transfers, and two deliveries of our own client, take their locks crosswise and wait for each other',
  services: ['transfers', 'deliveries'],
  direct: null,
};
