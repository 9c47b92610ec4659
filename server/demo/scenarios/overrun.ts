import type { Scenario } from './scenario';

export const overrun: Scenario = {
  name: 'overrun',
  summary: 'importers of import:price-list work longer than their lease lasts',
  services: ['slow-import'],
  direct: null,
};
