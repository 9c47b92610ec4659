import type { Scenario } from './scenario';

export const thunderingHerd: Scenario = {
  name: 'thundering-herd',
  summary: 'every few seconds 65 callers rebuild the same two cache entries at once',
  services: ['rebuild'],
  direct: null,
};
