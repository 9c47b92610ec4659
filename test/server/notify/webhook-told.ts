import { WebhookBody } from '@/lib/protocol/notify';
import { aNotifier, aReceiver, type Told } from './notifier-under-test';
import type { Receiver } from './receiver';

/** What a webhook was told, in order. */
export const eventsOf = (receiver: Receiver): string[] =>
  receiver.received.flatMap(({ body }) =>
    WebhookBody.parse(body).notices.map(({ event, alert }) => `${event} ${alert?.id ?? ''}`),
  );

/** The ids of its messages. */
export const idsOf = (receiver: Receiver): string[] =>
  receiver.received.map(({ body }) => WebhookBody.parse(body).id);

/** A notifier whose one webhook is told everything. */
export async function toldByWebhook(): Promise<{ told: Told; receiver: Receiver }> {
  const [told, receiver] = [await aNotifier(), await aReceiver()];
  await told.routeAll(await told.channel({ kind: 'webhook', url: receiver.url }));
  return { told, receiver };
}
