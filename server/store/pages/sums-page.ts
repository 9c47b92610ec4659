import { END_REASONS } from '@/lib/protocol/closed-sets';
import { LOST_REASONS } from '@/lib/protocol/lock';
import type { HeatColumn, Sums } from '@/server/store/history-contract';
import {
  corruptPage,
  decodeBlock,
  encodeBlock,
  type Column,
  type NewColumn,
  type Numbers,
} from './column-block';
import { IdSlots } from './id-slots';

const ID = 0;
/** Of the class that a lock's series belongs to; left out in pages of classes. */
const CLASS_ID = 1;

/** Figures in the order in which a {@link SumsTable} holds them. Ids are stored: append only. */
const FIGURES = [
  { name: 'acquisitions', id: 2, nullable: false },
  { name: 'heldMs', id: 3, nullable: false },
  { name: 'waiterMs', id: 4, nullable: true },
  { name: 'waits', id: 5, nullable: true },
  { name: 'waitMs', id: 6, nullable: true },
  { name: 'timeouts', id: 7, nullable: true },
  { name: 'attempts', id: 8, nullable: true },
  { name: 'handoffs', id: 9, nullable: false },
  { name: 'handoffMs', id: 10, nullable: false },
] as const;
/** Column `FIRST_END + i` counts ends of reason `END_REASONS[i]`. */
const FIRST_END = 32;

const COLUMNS: readonly { id: number; nullable: boolean }[] = [
  ...FIGURES,
  ...END_REASONS.map((_, i) => ({ id: FIRST_END + i, nullable: false })),
];
const WIDTH = COLUMNS.length;

const placeOf = (figure: Exclude<HeatColumn, 'lost'>): number =>
  FIGURES.findIndex(({ name }) => name === figure);
const [HELD, WAITING, WAITED] = [placeOf('heldMs'), placeOf('waiterMs'), placeOf('waitMs')];

/** Positions within `COLUMNS` whose sum a heatmap's column is. */
const places = (column: HeatColumn): number[] =>
  column === 'lost'
    ? LOST_REASONS.map((reason) => FIGURES.length + END_REASONS.indexOf(reason))
    : [placeOf(column)];

export interface SumsPage {
  readonly rows: number;
  readonly bound: number;
  readonly ids: Uint32Array;
  /** Null in pages of classes. */
  readonly classIds: Numbers | null;
  /** The stored columns that add up to it; those of nothing but zero or null are left out. */
  heat: (column: HeatColumn) => Column[];
  /** By position. */
  column: (place: number) => Column | null;
}

/** Throws INTERNAL for bytes that no {@link SumsTable} wrote. */
export function decodeSums(bytes: Uint8Array): SumsPage {
  const block = decodeBlock(bytes, 'sums');
  const ids = block.ids(ID);
  if (ids.length !== block.rows) throw corruptPage('rows without an id');
  const column = (place: number): Column | null => {
    const { id, nullable } = COLUMNS[place] ?? { id: -1, nullable: false };
    return block.column(id, nullable);
  };
  return {
    rows: block.rows,
    bound: block.bound,
    ids,
    classIds: block.column(CLASS_ID, false)?.values ?? null,
    heat: (name) =>
      places(name)
        .map(column)
        .filter((found) => found !== null),
    column,
  };
}

export const isNullable = (column: HeatColumn): boolean =>
  FIGURES.some(({ name, nullable }) => name === column && nullable);

/** Sums of many series in one step, to be added to. */
export class SumsTable {
  readonly #slots = new IdSlots();
  #classIds = new Uint32Array(16);
  /** Row after row; NaN = null. */
  #cells = new Float64Array(16 * WIDTH);
  /** What a series that was left out has weighed at most. */
  bound = 0;

  get ids(): Uint32Array {
    return this.#slots.ids;
  }

  has(id: number): boolean {
    return this.#slots.find(id) >= 0;
  }

  /** `classId` 0 = the series is a class itself. */
  addSums(id: number, classId: number, sums: Sums): void {
    const row = this.#rowOf(id, classId) * WIDTH;
    for (const [i, { name }] of FIGURES.entries()) this.#addTo(row + i, sums[name]);
    for (const [i, reason] of END_REASONS.entries()) {
      this.#addTo(row + FIGURES.length + i, sums.ends[reason] ?? 0);
    }
  }

  /** Adds the rows that `isWanted`. */
  addPage(page: SumsPage, isWanted?: (id: number, classId: number) => boolean): void {
    this.bound += page.bound;
    const { ids, classIds, rows } = page;
    const at = new Int32Array(rows);
    for (let i = 0; i < rows; i++) {
      const id = ids[i] ?? 0;
      const classId = classIds?.[i] ?? 0;
      at[i] = !isWanted || isWanted(id, classId) ? this.#rowOf(id, classId) * WIDTH : -1;
    }
    for (let place = 0; place < WIDTH; place++) {
      const column = page.column(place);
      if (column) this.#addColumn(column, at, place);
    }
  }

  /** By the slots of {@link ids}. */
  sumsAt(slot: number): Sums {
    const cells = this.#cells;
    const row = slot * WIDTH;
    const number = (place: number): number => cells[row + place] ?? 0;
    const nullable = (place: number): number | null => {
      const value = number(place);
      return Number.isNaN(value) ? null : value;
    };
    const ends: Sums['ends'] = {};
    for (const [i, reason] of END_REASONS.entries()) {
      const count = number(FIGURES.length + i);
      if (count !== 0) ends[reason] = count;
    }
    return {
      acquisitions: number(0),
      heldMs: number(1),
      waiterMs: nullable(2),
      waits: nullable(3),
      waitMs: nullable(4),
      timeouts: nullable(5),
      attempts: nullable(6),
      handoffs: number(7),
      handoffMs: number(8),
      ends,
    };
  }

  /** For how long it was held or waited for: what the heaviest locks are chosen by. */
  weightAt(slot: number): number {
    const row = slot * WIDTH;
    const heldMs = this.#cells[row + HELD] ?? 0;
    const waiterMs = this.#cells[row + WAITING] ?? 0;
    const waitMs = Number.isNaN(waiterMs) ? (this.#cells[row + WAITED] ?? 0) : waiterMs;
    return Math.max(0, heldMs) + (Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs));
  }

  /** The rows of these slots, or all, by ascending id. */
  encode(slots: Iterable<number> = this.ids.keys()): Uint8Array {
    const { ids } = this;
    const order = [...slots].sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
    const classIds = Float64Array.from(order, (slot) => this.#classIds[slot] ?? 0);
    const columns: NewColumn[] = [
      { id: ID, ids: Uint32Array.from(order, (slot) => ids[slot] ?? 0) },
      { id: CLASS_ID, values: classIds, nullable: false },
    ];
    const rows = Uint32Array.from(order, (slot) => slot * WIDTH);
    for (const [place, { id, nullable }] of COLUMNS.entries()) {
      const values = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) values[i] = this.#cells[(rows[i] ?? 0) + place] ?? 0;
      columns.push({ id, values, nullable });
    }
    return encodeBlock({ shape: 'sums', rows: order.length, bound: this.bound, columns });
  }

  #rowOf(id: number, classId: number): number {
    const before = this.#slots.size;
    const slot = this.#slots.of(id);
    if (slot < before) return slot;
    if (slot === this.#classIds.length) this.#grow();
    this.#classIds[slot] = classId;
    for (const [place, { nullable }] of COLUMNS.entries()) {
      this.#cells[slot * WIDTH + place] = nullable ? Number.NaN : 0;
    }
    return slot;
  }

  #grow(): void {
    const classIds = new Uint32Array(this.#classIds.length * 2);
    const cells = new Float64Array(classIds.length * WIDTH);
    classIds.set(this.#classIds);
    cells.set(this.#cells);
    this.#classIds = classIds;
    this.#cells = cells;
  }

  #addTo(cell: number, value: number | null): void {
    if (value === null) return;
    const known = this.#cells[cell] ?? 0;
    this.#cells[cell] = Number.isNaN(known) ? value : known + value;
  }

  #addColumn({ values, none }: Column, at: Int32Array, place: number): void {
    const cells = this.#cells;
    for (let i = 0; i < at.length; i++) {
      const row = at[i] ?? -1;
      const value = values[i] ?? 0;
      if (row < 0 || value === none || Number.isNaN(value)) continue;
      const known = cells[row + place] ?? 0;
      cells[row + place] = Number.isNaN(known) ? value : known + value;
    }
  }
}
