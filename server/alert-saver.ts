import type { Alert } from '@/lib/protocol/alert';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import { createOutbox } from './store/outbox';
import type { Store } from './store/store-contract';

/**
 * Saves alerts that changed, each together with the lines of its timeline: a console that is killed leaves neither an
 * alert whose story is missing nor a story that its alert knows nothing of. What fails to be saved stays.
 */
export function createAlertSaver({
  alerts,
  store,
}: {
  alerts: Pick<AlertBook, 'get' | 'unsavedEvents' | 'forgetEvents'>;
  store: Pick<Store, 'saveAlerts'>;
}) {
  const unsaved = createOutbox(async (changed: readonly Alert[]) => {
    const ids = new Set(changed.map(({ id }) => id));
    const events = alerts.unsavedEvents().filter(({ alert }) => ids.has(alert));
    // As they are now: what somebody did to one meanwhile is saved already and must not be undone.
    const present = changed.map((alert) => alerts.get(alert.id) ?? alert);
    await store.saveAlerts(present, events);
    alerts.forgetEvents(events);
  });
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
