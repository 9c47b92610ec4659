import type { AlertEvent } from '@/lib/protocol/alert';
import type { AlertBook } from '@/server/alerts/alerts-contract';

/** The lines that came since the last call, as the pipeline takes them. */
export function takeEvents(book: AlertBook): AlertEvent[] {
  const events = book.unsavedEvents();
  book.forgetEvents(events);
  return events;
}
