import type { Alert } from '@/lib/protocol/alert';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import { createOutbox, type Outbox } from './store/outbox';
import type { Store } from './store/store-contract';

/** Alerts that may wait, about 2 kB each; the book has at most 10,000 open. */
const MOST_UNSAVED = 15_000;

interface AlertSaverOptions {
  alerts: Pick<AlertBook, 'get' | 'open' | 'unsavedEvents' | 'forgetEvents'>;
  store: Pick<Store, 'saveAlerts'>;
  /** Is told of alerts that came and went while the store was broken, and that there was no room to keep. */
  gone: (alerts: readonly Alert[]) => void;
  most?: number;
}

/**
 * Saves alerts that changed, each together with the lines of its timeline: a console that is killed leaves neither an
 * alert whose story is missing nor a story that its alert knows nothing of. What fails to be saved stays, within bounds:
 * what resolved and was never saved goes first. How one ended that the store has open is never given up.
 */
export function createAlertSaver(options: AlertSaverOptions): Outbox<Alert> {
  const { alerts, store, gone, most = MOST_UNSAVED } = options;
  const eventsOf = (ids: ReadonlySet<string>) =>
    alerts.unsavedEvents().filter(({ alert }) => ids.has(alert));
  const unsaved = createOutbox(
    async (changed: readonly Alert[]) => {
      const events = eventsOf(new Set(changed.map(({ id }) => id)));
      // As they are now: what somebody did to one meanwhile is saved already and must not be undone.
      const present = changed.map((alert) => alerts.get(alert.id) ?? alert);
      await store.saveAlerts(present, events);
      alerts.forgetEvents(events);
    },
    {
      most,
      isOver: ({ state }) => state === 'resolved',
      known: () => alerts.open().map(({ id }) => id),
      gone: (dropped) => {
        alerts.forgetEvents(eventsOf(new Set(dropped.map(({ id }) => id))));
        gone(dropped);
      },
    },
  );
  return {
    add: unsaved.add,
    flush: async (): Promise<void> => {
      // What was done to one and could not be saved then has left its line here.
      unsaved.add(alerts.unsavedEvents().flatMap(({ alert }) => alerts.get(alert) ?? []));
      await unsaved.flush();
      const ofGone = alerts.unsavedEvents().filter(({ alert }) => !alerts.get(alert));
      if (ofGone.length === 0) return;
      await store.saveAlerts([], ofGone);
      alerts.forgetEvents(ofGone);
    },
  };
}
