import type { QueryName, QueryParams, QueryResult } from '@/lib/protocol/queries';
import { LOADING, type LiveEntry, type LiveSnapshot } from './live-entry';
import type { LiveStore } from './live-store';

/**
 * One place on a page that shows a query. When its parameters change it goes on showing the previous
 * data, as `loading`, until the new ones arrive.
 */
export class LiveView<N extends QueryName> {
  readonly #store: LiveStore;
  readonly #query: N;
  readonly #listeners = new Set<() => void>();
  #entry: LiveEntry | null = null;
  #unsubscribe: () => void = () => {};
  #snapshot: LiveSnapshot<QueryResult<N>> = LOADING;

  constructor(store: LiveStore, query: N) {
    this.#store = store;
    this.#query = query;
  }

  /** Shows the query with these parameters instead of the ones before. */
  show(params: QueryParams<N>): void {
    const before = this.#entry;
    const entry = this.#store.use(this.#query, params);
    this.#unsubscribe();
    if (before) this.#store.release(before);
    this.#entry = entry;
    this.#unsubscribe = entry.subscribe(() => this.#take(entry.snapshot));
    if (before !== entry) this.#take(entry.snapshot);
  }

  close(): void {
    this.#unsubscribe();
    if (this.#entry) this.#store.release(this.#entry);
    this.#entry = null;
  }

  readonly snapshot = (): LiveSnapshot<QueryResult<N>> => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #take(snapshot: LiveSnapshot): void {
    const { data, at } = this.#snapshot;
    const next = ofQuery<N>(snapshot);
    this.#snapshot = next.state === 'loading' ? { ...next, data, at } : next;
    for (const listener of this.#listeners) listener();
  }
}

/** The entry was opened with this query's name, so its data are of this query's result. */
const ofQuery = <N extends QueryName>(snapshot: LiveSnapshot): LiveSnapshot<QueryResult<N>> =>
  snapshot as LiveSnapshot<QueryResult<N>>;
