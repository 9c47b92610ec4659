import { keepHeaviest } from '@/lib/analysis/heaviest';
import type { BlameCause, Rollup } from '@/server/store/history-contract';
import { PAGE_KINDS, SKETCH_KINDS, type PageKind } from '@/server/store/schema';
import { BlameTable, decodeBlame, type BlameEntry } from './blame-page';
import { decodeSketches, SketchTable } from './sketch-page';
import { decodeSums, SumsTable } from './sums-page';

/** The locks, and the causes of waiting, that a page of a longer step keeps one by one. */
export const KEPT_ONE_BY_ONE = 4096;

const OTHERS: BlameCause = 'others';

/** What all series of a target did in one step, to be added to and written as pages. */
export class StepTables {
  readonly #sums = { class: new SumsTable(), lock: new SumsTable() };
  readonly #sketches = { class: new SketchTable(), lock: new SketchTable() };
  #blame = new BlameTable();

  /** `lockId` 0 = the rollup is of the whole class. */
  addRollup(rollup: Rollup, { classId, lockId }: { classId: number; lockId: number }): void {
    const level = lockId === 0 ? 'class' : 'lock';
    const id = lockId === 0 ? classId : lockId;
    this.#sums[level].addSums(id, lockId === 0 ? 0 : classId, rollup);
    for (const [position, kind] of SKETCH_KINDS.entries()) {
      const bytes = rollup.sketches[kind];
      if (bytes) this.#sketches[level].add(position, id, bytes);
    }
  }

  addBlame(entry: BlameEntry): void {
    this.#blame.add(entry);
  }

  /** Adds a stored page, a little between two `yield`s. */
  *addPage(kind: PageKind, bytes: Uint8Array): Generator<void> {
    switch (kind) {
      case 'class-sums':
        return this.#sums.class.addPage(decodeSums(bytes));
      case 'lock-sums':
        return this.#sums.lock.addPage(decodeSums(bytes));
      case 'class-sketches':
        return yield* addSketches(this.#sketches.class, bytes);
      case 'lock-sketches':
        return yield* addSketches(this.#sketches.lock, bytes);
      case 'blame':
        return yield* addBlame(this.#blame, bytes);
    }
  }

  /**
   * Leaves the heaviest `keep` locks and causes, in turns as {@link addPage}. The figures of the other locks are in
   * those of their classes, and the other causes are added up by class.
   */
  *limit(keep: number): Generator<void> {
    yield* this.#limitLocks(keep);
    yield* this.#limitBlame(keep);
  }

  *#limitBlame(keep: number): Generator<void> {
    const { entries, bound } = this.#blame;
    yield;
    const cut = new BlameTable();
    const single: BlameEntry[] = [];
    for (const [i, entry] of entries.entries()) {
      if (i % AT_ONCE === 0) yield;
      if (entry.cause === OTHERS) cut.add(entry);
      else single.push(entry);
    }
    yield;
    const heaviest = yield* keepHeaviest(single, {
      weightOf: ({ waiterMs }) => waiterMs,
      keep,
      bound,
    });
    cut.bound = heaviest.bound;
    for (const [i, entry] of heaviest.kept.entries()) {
      if (i % AT_ONCE === 0) yield;
      cut.add(entry);
    }
    yield;
    const left = new Map<number, number>();
    for (const { classId, waiterMs } of heaviest.dropped) {
      left.set(classId, (left.get(classId) ?? 0) + waiterMs);
    }
    for (const [classId, waiterMs] of left) {
      cut.add({ classId, lockId: 0, cause: OTHERS, owner: null, waiterMs });
    }
    this.#blame = cut;
  }

  /** Series of the single locks in it. */
  get lockIds(): number[] {
    const blamed = this.#blame.entries.flatMap(({ lockId }) => (lockId === 0 ? [] : [lockId]));
    return [...new Set([...this.#sums.lock.ids, ...blamed])];
  }

  /** Does most of the work of {@link encode}, a little between two `yield`s. */
  *settle(): Generator<void> {
    yield* this.#sketches.class.settle();
    yield* this.#sketches.lock.settle();
  }

  /** Pages that are not empty, one after another. */
  *encode(): Generator<{ kind: number; bytes: Uint8Array }> {
    const { class: classes, lock: locks } = this.#sums;
    const pages: Record<PageKind, () => Uint8Array | null> = {
      'class-sums': () => (classes.ids.length > 0 ? classes.encode() : null),
      'class-sketches': () => this.#sketches.class.encode(),
      'lock-sums': () => (locks.ids.length > 0 ? locks.encode() : null),
      'lock-sketches': () => this.#sketches.lock.encode(),
      blame: () => (this.#blame.entries.length > 0 ? this.#blame.encode() : null),
    };
    for (const [kind, name] of PAGE_KINDS.entries()) {
      const bytes = pages[name]();
      if (bytes) yield { kind, bytes };
    }
  }

  *#limitLocks(keep: number): Generator<void> {
    const { lock } = this.#sums;
    const { kept, bound, dropped } = yield* keepHeaviest([...lock.ids.keys()], {
      weightOf: (slot) => lock.weightAt(slot),
      keep,
      bound: lock.bound,
    });
    if (dropped.length === 0) return;
    yield;
    const cut = new SumsTable();
    lock.bound = bound;
    const page = lock.encode(kept);
    yield;
    cut.addPage(decodeSums(page));
    yield;
    this.#sums.lock = cut;
    yield* this.#sketches.lock.retain((id) => cut.has(id));
  }
}

const AT_ONCE = 100;

function* addSketches(table: SketchTable, bytes: Uint8Array): Generator<void> {
  const page = decodeSketches(bytes);
  let added = 0;
  for (const kind of page.kinds) {
    for (const { id, bytes: sketch } of page.ofKind(kind)) {
      table.add(kind, id, sketch);
      if (++added % AT_ONCE === 0) yield;
    }
  }
}

function* addBlame(table: BlameTable, bytes: Uint8Array): Generator<void> {
  const page = decodeBlame(bytes);
  table.bound += page.bound;
  let added = 0;
  for (const entry of page.entries()) {
    table.add(entry);
    if (++added % AT_ONCE === 0) yield;
  }
}
