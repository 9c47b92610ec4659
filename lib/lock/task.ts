import { AsyncLocalStorage } from 'node:async_hooks';
import type { Hold } from './hold.js';

/** One line of work. A hold of an enclosing scope is entered again; one of a sibling is waited for. */
interface Scope {
  task: string;
  parent: Scope | null;
  /** The hold that `using` took for this scope, by its id; null in a scope that `task` opened. */
  held: { id: string; hold: Hold } | null;
  /** What was acquired one after another in a scope that `task` opened. */
  acquired: Map<string, Hold> | null;
}

/** Who asks: the owner's task. */
export interface Asker {
  task: string;
  /** Nobody of this task has asked for anything before. */
  isNew: boolean;
  /** Notes a hold acquired in a scope of `task`; null elsewhere. */
  note: ((hold: Hold) => void) | null;
}

/**
 * Tells tasks apart by AsyncLocalStorage. Work started by Promise.all inside one scope shares its task in
 * Redis, so that a wait-for graph sees one owner, but never a lock: who is no ancestor gets a task of its own.
 */
export class Tasks {
  readonly #storage = new AsyncLocalStorage<Scope>();
  readonly #busy = new Set<string>();
  #last = 0;

  /** The hold to enter again where this line of work has the lock already. `id` names the lock and the way it is taken. */
  held(id: string): Hold | null {
    const scope = this.#storage.getStore();
    return scope ? findHold(scope, id) : null;
  }

  /**
   * The write to read under where a sibling reads under it already: it would stand in the queue behind the very
   * write that waits for its end.
   */
  ownWrite(id: string, pair: string): Hold | null {
    const scope = this.#storage.getStore();
    const own = scope ? findHold(scope, pair) : null;
    return own && this.#busy.has(`${own.scope} ${id}`) ? own : null;
  }

  /** `pair`: the other way to take the same lock, whose holder may take this one beside it. */
  asker(id: string, pair?: string): Asker {
    const scope = this.#storage.getStore();
    if (!scope) return { task: this.#next(), isNew: true, note: null };
    const own = pair === undefined ? null : findHold(scope, pair);
    const task = own?.scope ?? scope.task;
    const isTaken =
      this.#busy.has(`${task} ${id}`) || (own === null && this.#busy.has(`${task} ${pair}`));
    const { acquired } = scope;
    return {
      task: isTaken ? this.#next() : task,
      isNew: isTaken,
      note: acquired && ((hold) => void acquired.set(id, hold)),
    };
  }

  /** Marks a task's attempt at a lock, and the hold it comes to, until the returned function is called. */
  occupy(task: string, id: string): (hold?: Hold) => void {
    const key = `${task} ${id}`;
    const acquired = this.#storage.getStore()?.acquired;
    this.#busy.add(key);
    return (hold) => {
      this.#busy.delete(key);
      // A lost one stays: who enters again has to hear that it is lost.
      if (hold?.end === 'released' && acquired?.get(id) === hold) acquired.delete(id);
    };
  }

  get isInside(): boolean {
    return this.#storage.getStore() !== undefined;
  }

  /** Runs `work` in a scope that has `hold`. */
  inside<T>(id: string, hold: Hold, work: () => T): T {
    const parent = this.#storage.getStore() ?? null;
    return this.#storage.run(
      { task: hold.scope, parent, held: { id, hold }, acquired: null },
      work,
    );
  }

  /** Runs `work` as one line of work, the present one where there is one. */
  open<T>(work: () => T): T {
    const parent = this.#storage.getStore() ?? null;
    const task = parent?.task ?? this.#next();
    return this.#storage.run({ task, parent, held: null, acquired: new Map() }, work);
  }

  /** Runs `work` in the present line of work, of which what it acquires is not noted: siblings may not enter it. */
  apart<T>(work: () => T): T {
    const parent = this.#storage.getStore();
    if (!parent?.acquired) return work();
    return this.#storage.run({ task: parent.task, parent, held: null, acquired: null }, work);
  }

  #next(): string {
    this.#last += 1;
    return `${this.#last}`;
  }
}

function findHold(from: Scope, id: string): Hold | null {
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    const hold = scope.held?.id === id ? scope.held.hold : scope.acquired?.get(id);
    if (hold && hold.depth > 0) return hold;
  }
  return null;
}
