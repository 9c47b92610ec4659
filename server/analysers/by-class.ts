import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { LockRecord } from '@/server/state/lock-record';

/** So many are known at once. */
export const MOST_CLASSES = 2_000;

export type ClassName = Pick<LockRecord, 'class' | 'namespace'>;

type Named<T> = ClassName & { value: T };

/** Something kept of each class of locks. Bounded; the classes known longest go first. */
export class ByClass<T extends object> {
  readonly #create: () => T;
  readonly #all = new Set<Named<T>>();
  /** By namespace, then by class: asked for every held lock, so that no name is put together for it. */
  readonly #byName = new Map<string, Map<string, Named<T>>>();

  constructor(create: () => T) {
    this.#create = create;
  }

  get({ namespace, class: name }: ClassName): T | undefined {
    return this.#byName.get(namespace)?.get(name)?.value;
  }

  /** Begins with what `create` gives. */
  of(className: ClassName): T {
    const known = this.get(className);
    if (known) return known;
    const { namespace, class: name } = className;
    const made = { namespace, class: name, value: this.#create() };
    const inNamespace = this.#byName.get(namespace) ?? new Map<string, Named<T>>();
    this.#byName.set(namespace, inNamespace.set(name, made));
    this.#all.add(made);
    for (const oldest of dropOldest(this.#all, MOST_CLASSES)) this.#forget(oldest);
    return made.value;
  }

  all(): Iterable<Readonly<Named<T>>> {
    return this.#all;
  }

  /** In whatever namespace. */
  named(lockClass: string): Readonly<Named<T>>[] {
    return [...this.#byName.values()].flatMap((known) => known.get(lockClass) ?? []);
  }

  #forget(one: Named<T>): void {
    const inNamespace = this.#byName.get(one.namespace);
    inNamespace?.delete(one.class);
    if (inNamespace?.size === 0) this.#byName.delete(one.namespace);
  }
}
