import type { Alert, AlertEvent } from '@/lib/protocol/alert';
import { RETELL_MS, type Entry } from './alert-life';
import { CALM_MS, FLAPS_WITHIN_MS } from './flaps';
import { eventOf, lines, type Line } from './timeline';

/** Changes of figures that one timeline tells; what else happens in a life is told without end. */
const MOST_CHANGES = 200;
/** Lines that wait for the store; beyond it the oldest go, and are counted. */
const MOST_EVENTS = 20_000;

/** What changed in the book, and what there is to tell of it. */
export class Journal {
  #changed = new Set<Entry>();
  #events: AlertEvent[] = [];
  #givenUp: number[] = [];

  set(entry: Entry, to: Partial<Alert>): void {
    entry.alert = { ...entry.alert, ...to };
    this.#changed.add(entry);
  }

  note(entry: Entry): void {
    this.#changed.add(entry);
  }

  takeChanged(): Alert[] {
    const changed = [...this.#changed].map((entry) => entry.alert);
    this.#changed = new Set();
    return changed;
  }

  tell(entry: Entry, line: Line, at: number): void {
    this.#events.push(eventOf(entry.alert, line, at));
    const oldest = this.#events.length > MOST_EVENTS ? this.#events.shift() : undefined;
    if (oldest) this.#givenUp.push(oldest.at);
  }

  tellFlapping(entry: Entry, now: number): void {
    this.tell(entry, lines.flapping(entry.alert.flaps ?? 0, FLAPS_WITHIN_MS, CALM_MS), now);
  }

  /** Figures that move on are no step of a life: only what is worse, better or more. */
  tellChange(entry: Entry, before: Alert, now: number): void {
    const { alert } = entry;
    const isOtherSeverity = alert.severity !== before.severity;
    if (!isOtherSeverity) {
      if (alert.count === before.count || now - entry.toldAt < RETELL_MS) return;
      if (entry.told >= MOST_CHANGES) return;
    }
    entry.toldAt = now;
    entry.told += 1;
    this.tell(entry, lines.changed(alert, before), now);
  }

  /** Of what times lines were given up since this was asked last. */
  takeGivenUp(): number[] {
    const times = this.#givenUp;
    this.#givenUp = [];
    return times;
  }

  /** Lines that are not saved yet. */
  events(id?: string): AlertEvent[] {
    return this.#events.filter(({ alert }) => id === undefined || alert === id);
  }

  forget(saved: readonly AlertEvent[]): void {
    const known = new Set(saved);
    this.#events = this.#events.filter((event) => !known.has(event));
  }
}
