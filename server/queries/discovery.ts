import type { Discovery } from '@/lib/protocol/libraries';
import type { DiscoveryParams } from '@/lib/protocol/queries';
import type { QueryContext } from './query-context';

/** One of the last runs that looked for locks, under way or ended. Throws NOT_FOUND. */
export const discovery = (context: QueryContext, { id }: DiscoveryParams): Discovery =>
  context.discoveries.get(id);
