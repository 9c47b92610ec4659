import type { Scenario } from './scenario';

export const healthy: Scenario = {
  name: 'healthy',
  summary: 'a fleet of services that lock, wait and let go as they should',
  services: [],
  direct: null,
};
