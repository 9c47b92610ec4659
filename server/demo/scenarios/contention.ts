import type { Scenario } from './scenario';

export const contention: Scenario = {
  name: 'contention',
  summary:
    'hot and cold locks of several services, slow holders, waiters who give up: for heatmap, waits, blame and advice',
  services: ['seats', 'ledger', 'checkout', 'parcels', 'reprice', 'slow-import'],
  direct: null,
};
