import { ClassFigures } from './class-figures';

export interface ClassName {
  class: string;
  namespace: string;
}

/** Each has some fifty series of its own. */
const MOST_EXPORTED = 200;
/** Kept apart before the first scrape chooses; afterwards the names that are counted as merged. */
const MOST_KNOWN = 5_000;

interface Entry {
  name: ClassName;
  figures: ClassFigures;
  /** It has been exported by name. */
  isTold: boolean;
}

/** What stands for all classes that are not exported by name. */
const OTHER: ClassName = { namespace: '', class: 'other' };

/**
 * The figures of each class, of which the most active {@link MOST_EXPORTED} are exported by name and the others as one.
 * Who is which is settled when figures are first told, and stays: a sum that lost a class would go backwards.
 *
 * | mode   | what holds                                              | leads out |
 * |--------|---------------------------------------------------------|-----------|
 * | open   | every class has figures of its own                      | more classes than may be exported when told, or than are kept → full |
 * | full   | the exported classes are chosen, a new class is merged  | – |
 */
export class ClassBook {
  readonly #figures = new Map<string, Entry>();
  /** Their figures are in {@link #rest}. */
  readonly #merged = new Set<string>();
  readonly #rest = new ClassFigures();
  #isFull = false;

  /** The class name tells its namespace. */
  of(name: ClassName): ClassFigures {
    return this.#figures.get(name.class)?.figures ?? this.#meet(name);
  }

  /** The exported classes by namespace and name, the rest last, if there is any. */
  tell(): { classes: { name: ClassName; figures: ClassFigures }[]; merged: number } {
    if (!this.#isFull && this.#figures.size > MOST_EXPORTED) this.#choose();
    const entries = [...this.#figures.values()].toSorted(byName);
    for (const entry of entries) entry.isTold = true;
    const classes: { name: ClassName; figures: ClassFigures }[] = entries;
    if (this.#merged.size > 0) classes.push({ name: OTHER, figures: this.#rest });
    return { classes, merged: this.#merged.size };
  }

  forgetWaiters(): void {
    for (const { figures } of this.#figures.values()) figures.forgetWaiters();
    this.#rest.forgetWaiters();
  }

  #meet({ class: lockClass, namespace }: ClassName): ClassFigures {
    // A lock named like the rest would be a second series of the same labels.
    if (this.#isFull || (lockClass === OTHER.class && namespace === OTHER.namespace)) {
      if (this.#merged.size < MOST_KNOWN) this.#merged.add(lockClass);
      return this.#rest;
    }
    const figures = new ClassFigures();
    this.#figures.set(lockClass, {
      name: { class: lockClass, namespace },
      figures,
      isTold: false,
    });
    if (this.#figures.size > MOST_KNOWN) this.#choose();
    return this.of({ class: lockClass, namespace });
  }

  #choose(): void {
    this.#isFull = true;
    const ranked = [...this.#figures].toSorted(([, a], [, b]) => compare(activity(b), activity(a)));
    for (const [lockClass, { figures }] of ranked.slice(MOST_EXPORTED)) {
      this.#rest.merge(figures);
      this.#merged.add(lockClass);
      this.#figures.delete(lockClass);
    }
  }
}

/** A class that was told stays. */
const activity = ({ figures: { acquisitions, waits }, isTold }: Entry): number =>
  isTold ? Infinity : acquisitions + (waits.get('granted') ?? 0) + (waits.get('left') ?? 0);

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const byName = (a: { name: ClassName }, b: { name: ClassName }): number =>
  compare(a.name.namespace, b.name.namespace) || compare(a.name.class, b.name.class);
