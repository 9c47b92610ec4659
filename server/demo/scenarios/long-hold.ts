import type { Scenario } from './scenario';

export const longHold: Scenario = {
  name: 'long-hold',
  summary: 'reports:month-end and archive:orders are renewed for ever; their leases never run low',
  services: ['month-end', 'archive'],
  direct: null,
};
