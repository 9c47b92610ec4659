import type { Alert } from '@/lib/protocol/alert';
import type { AlertAct } from './use-act-on';
import { OPEN_LIMIT } from '@/components/hooks/use-open-alerts';

/** Whether the act would change anything: what has not fired can be neither, and what is so need not become so. */
export const isDue = ({ state }: Alert, act: AlertAct): boolean =>
  state === 'firing' || state === (act === 'acknowledge' ? 'silenced' : 'acknowledged');

/**
 * Which of them resolved meanwhile: the list says so, or the open alerts know them no more. Nothing is known of one
 * that is missing from as many as are told at once.
 */
export function overIn(
  alerts: readonly Alert[],
  listed: readonly Alert[],
  open: readonly Alert[],
): ReadonlySet<string> {
  const states = new Map([...open, ...listed].map(({ id, state }) => [id, state]));
  const isOver = ({ id }: Alert): boolean => {
    const state = states.get(id);
    return state === undefined ? open.length < OPEN_LIMIT : state === 'resolved';
  };
  return new Set(alerts.filter(isOver).map(({ id }) => id));
}
