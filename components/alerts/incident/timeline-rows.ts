import type { AlertEvent } from '@/lib/protocol/alert';
import { EVENT_LOOK, type EventSort } from './event-kinds';

export type TimelineRow =
  | { kind: 'event'; id: string; event: AlertEvent; isAfter: boolean }
  /** Until here it was known when the incident was handed over. */
  | { kind: 'hand-over'; id: string; at: number };

interface Ask {
  /** Null = all. */
  sort: EventSort | null;
  /** When the incident was handed over, epoch ms. */
  handedOverAt: number | null;
  /** Of the rows that fit, only the newest so many. */
  most: number;
}

interface Rows {
  rows: TimelineRow[];
  /** How many that fit come before them. */
  earlier: number;
  /** How many that fit came after the hand-over. */
  after: number;
}

/** The timeline's rows, the newest at the end, with the hand-over at its place. `events`: oldest first. */
export function timelineRows(
  events: readonly AlertEvent[],
  { sort, handedOverAt, most }: Ask,
): Rows {
  const fitting = events.flatMap((event, index) =>
    sort === null || EVENT_LOOK[event.kind].sort === sort ? [{ event, index }] : [],
  );
  const isAfter = (event: AlertEvent): boolean => handedOverAt !== null && event.at > handedOverAt;
  const shown = fitting.slice(-most);
  const rows: TimelineRow[] = shown.map(({ event, index }) => ({
    kind: 'event',
    id: `${index}`,
    event,
    isAfter: isAfter(event),
  }));
  if (handedOverAt !== null) {
    const place = shown.findIndex(({ event }) => isAfter(event));
    rows.splice(place < 0 ? rows.length : place, 0, {
      kind: 'hand-over',
      id: 'hand-over',
      at: handedOverAt,
    });
  }
  return {
    rows,
    earlier: fitting.length - shown.length,
    after: fitting.filter(({ event }) => isAfter(event)).length,
  };
}
