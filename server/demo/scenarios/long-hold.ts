import type { Scenario } from './scenario';

export const longHold: Scenario = {
  name: 'long-hold',
  summary: 'reports:month-end is renewed for ever; its lease never runs low',
  services: ['month-end'],
  direct: null,
};
