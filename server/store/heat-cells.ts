import type { HeatColumn, HeatQuery, HeatSums } from './history-contract';
import type { StoredPart } from './page-reader';
import { IdSlots } from './pages/id-slots';
import { isNullable, type SumsPage } from './pages/sums-page';
import type { Turns } from './turns';

/**
 * The cells of some series, filled page by page. Within it they lie step after step, so that a page, which is one
 * step of thousands of series, is added within memory that the processor has at hand.
 */
export class HeatCells {
  readonly #query: HeatQuery;
  readonly #steps: number;
  readonly #capacity: number;
  readonly #slots = new IdSlots();
  readonly #isWanted: ((id: number, classId: number) => boolean) | null;
  readonly #columns: { name: HeatColumn; cells: Float64Array; told: Uint8Array | null }[];
  /** Where the rows of the page before went: most pages are of the same series. */
  #last: { ids: Uint32Array; slots: Int32Array } | null = null;

  /**
   * @param query.steps columns of the answer
   * @param series how many there may be, or which they are
   */
  constructor(
    query: HeatQuery & { steps: number },
    series: number | readonly number[],
    isWanted: ((id: number, classId: number) => boolean) | null,
  ) {
    this.#query = query;
    this.#steps = query.steps;
    this.#capacity = typeof series === 'number' ? series : series.length;
    this.#isWanted = isWanted;
    if (typeof series !== 'number') for (const id of series) this.#slots.of(id);
    this.#columns = query.columns.map((name) => ({
      name,
      cells: new Float64Array(this.#capacity * this.#steps),
      told: isNullable(name) ? new Uint8Array(this.#capacity) : null,
    }));
  }

  /** The series, by slot. */
  get ids(): Uint32Array {
    return this.#slots.ids;
  }

  /** An untouched cell of a column that may be null is −0, which no sum of figures is. */
  async start(turns: Turns): Promise<void> {
    for (const { cells, told } of this.#columns) {
      if (!told) continue;
      for (let step = 0; step < this.#steps; step++) {
        cells.fill(-0, step * this.#capacity, (step + 1) * this.#capacity);
        if (turns.isDue()) await turns.next();
      }
    }
  }

  add(page: SumsPage, { step, spanMs }: StoredPart): void {
    const { from, to, stepMs } = this.#query;
    const first = Math.floor((Math.max(step, from) - from) / stepMs);
    const last = Math.ceil((Math.min(step + spanMs, to) - from) / stepMs);
    const share = Math.min(1, stepMs / spanMs);
    const slots = this.#slotsOf(page);
    for (const column of this.#columns) {
      const stored = page.heat(column.name);
      for (let at = first; at < last; at++) {
        const cells = column.cells.subarray(at * this.#capacity, (at + 1) * this.#capacity);
        const { told } = column;
        for (const { values, none } of stored) {
          if (told) addNullable({ cells, told, slots, values, none, share });
          else addNumbers({ cells, slots, values, share });
        }
        if (told && stored.length === 0) addUnknown(cells, slots);
      }
    }
  }

  /** Sums of the first column, by slot. */
  async totals(turns: Turns): Promise<Float64Array> {
    const totals = new Float64Array(this.#slots.size);
    const cells = this.#columns[0]?.cells ?? new Float64Array(0);
    for (let step = 0; step < this.#steps; step++) {
      const begin = step * this.#capacity;
      for (let slot = 0; slot < totals.length; slot++) {
        const value = cells[begin + slot] ?? 0;
        if (!Number.isNaN(value)) totals[slot] = (totals[slot] ?? 0) + value;
      }
      if (turns.isDue()) await turns.next();
    }
    return totals;
  }

  /** The cells row after row, in the order of `slots`. */
  async rows(slots: readonly number[], turns: Turns): Promise<HeatSums['cells']> {
    const answer: HeatSums['cells'] = {};
    const steps = this.#steps;
    for (const { name, cells, told } of this.#columns) {
      const rows = new Float64Array(slots.length * steps);
      for (const [row, slot] of slots.entries()) {
        const isTold = !told || told[slot] === 1;
        for (let step = 0; step < steps; step++) {
          const value = cells[step * this.#capacity + slot] ?? 0;
          // Never told at all: what was not recorded is not known either. Adding 0 makes a zero of −0.
          rows[row * steps + step] = isTold ? value + 0 : Number.NaN;
        }
        if (turns.isDue()) await turns.next();
      }
      answer[name] = rows;
    }
    return answer;
  }

  /** −1 = no row of the answer. */
  #slotsOf({ ids, classIds, rows }: SumsPage): Int32Array {
    const last = this.#last;
    if (last && isSame(last.ids, ids)) return last.slots;
    const slots = new Int32Array(rows);
    for (let i = 0; i < rows; i++) {
      const id = ids[i] ?? 0;
      const isFull = this.#slots.size >= this.#capacity;
      if (this.#isWanted && !this.#isWanted(id, classIds?.[i] ?? 0)) slots[i] = -1;
      else slots[i] = isFull ? this.#slots.find(id) : this.#slots.of(id);
    }
    this.#last = { ids, slots };
    return slots;
  }
}

const isSame = (a: Uint32Array, b: Uint32Array): boolean =>
  a.length === b.length && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

interface Adding {
  cells: Float64Array;
  slots: Int32Array;
  values: ArrayLike<number>;
  share: number;
}

function addNumbers({ cells, slots, values, share }: Adding): void {
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] ?? -1;
    if (slot >= 0) cells[slot] = (cells[slot] ?? 0) + (values[i] ?? 0) * share;
  }
}

function addNullable(adding: Adding & { told: Uint8Array; none: number }): void {
  const { cells, told, slots, values, none, share } = adding;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] ?? -1;
    if (slot < 0) continue;
    const value = values[i] ?? 0;
    const known = cells[slot] ?? 0;
    if (value === none || Number.isNaN(value)) {
      if (Object.is(known, -0)) cells[slot] = Number.NaN;
    } else {
      cells[slot] = Number.isNaN(known) ? value * share : known + value * share;
      told[slot] = 1;
    }
  }
}

/** Null where no number was added before. */
function addUnknown(cells: Float64Array, slots: Int32Array): void {
  for (const slot of slots) if (slot >= 0 && Object.is(cells[slot], -0)) cells[slot] = Number.NaN;
}
