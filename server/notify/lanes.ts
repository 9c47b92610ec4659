import type { ChannelBook } from './channel-book';
import { joins } from './kinds';
import { Lane, type LaneOptions } from './lane';

export interface LanesOptions extends Omit<LaneOptions, 'waiting' | 'open' | 'joins'> {
  book: Pick<ChannelBook, 'get' | 'open'>;
}

/** The lane of each channel, by its id. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  of(id: string): Lane {
    const known = this.#lanes.get(id);
    if (known) return known;
    const { book, ...options } = this.#options;
    const lane = new Lane({
      ...options,
      waiting: () => options.ledger.waitingFor(id),
      open: () => book.open(book.get(id)),
      joins: () => joins(book.get(id).settings),
    });
    this.#lanes.set(id, lane);
    return lane;
  }

  /** Those of channels that are gone are forgotten. */
  keep(ids: readonly string[]): void {
    for (const id of this.#lanes.keys()) if (!ids.includes(id)) this.#lanes.delete(id);
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()));
  }
}
