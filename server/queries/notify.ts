import type { NotifyPage } from '@/lib/protocol/notify';
import { hasRole } from '@/server/auth/actor';
import type { QueryContext } from './query-context';

const DELIVERIES = 100;

/** Who is told of alerts, and how that goes. Who is no administrator sees names and health. */
export async function notify({ notifier, actor }: QueryContext): Promise<NotifyPage> {
  const channels = notifier.channels();
  if (hasRole(actor, 'admin')) {
    const deliveries = await notifier.deliveries(DELIVERIES);
    return {
      channels,
      routes: [...notifier.routes()],
      routesVersion: notifier.routesVersion(),
      deliveries,
    };
  }
  const shown = channels.map((channel) => ({ ...channel, settings: null, destination: null }));
  return { channels: shown, routes: [], routesVersion: null, deliveries: [] };
}
