import type { Alert } from '@/lib/protocol/alert';

/** Beyond so many the ones seen longest ago are forgotten. */
const REMEMBERED = 5000;

/** Whether somebody should be called to it: it fires for certain, is no trifle, and stands for itself. */
export const isCalling = ({ state, severity, doubtful, partOf }: Alert): boolean =>
  state === 'firing' && severity !== 'info' && !doubtful && !partOf;

/**
 * Which of the alerts call for somebody for the first time. `known`: ids of those that did before; null at first,
 * when all that call are known: whoever opens the page sees them.
 */
export function newlyCalling(
  known: ReadonlySet<string> | null,
  alerts: readonly Alert[],
): { known: ReadonlySet<string>; fresh: Alert[] } {
  const calling = alerts.filter(isCalling);
  const fresh = known === null ? [] : calling.filter(({ id }) => !known.has(id));
  const all = [...new Set([...(known ?? []), ...calling.map(({ id }) => id)])];
  return { known: new Set(all.slice(-REMEMBERED)), fresh };
}
