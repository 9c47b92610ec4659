import type { Scenario } from './scenario';

export const overrun: Scenario = {
  name: 'overrun',
  summary: 'importers of import:price-list work longer than their lease lasts',
  services: ['slow-import'],
  direct: async ({ redis }) => {
    // Only the class `m` shows the release that comes after the lease has ended.
    await redis.config('SET', 'notify-keyspace-events', 'KEAnm');
  },
};
