import type { RedisConnection } from '../contract.js';
import { LockError } from '../errors.js';
import type { StockKeys } from './keys.js';
import type { Move } from './plan.js';
import { GIVE_BACK, PUT, RESTOCK, runScript, SELL, SURVEY, TAKE } from './scripts.js';

/** What a set-up fixed for the stock's life. */
export interface Layout {
  segments: number;
}

/** One order's line in a batch; `field` is its name in the ledger. */
export interface Line {
  field: string;
  quantity: number;
}

/** Per line: what {@link SELL} answers. */
export interface Sold {
  left: number;
  codes: readonly number[];
}

export interface SegmentState {
  left: number;
  sold: number;
  stocked: number;
  /** Counts every change but deductions. */
  moves: number;
  /** Units ever given to, and ever received from, each other segment. */
  to: ReadonlyMap<number, number>;
  from: ReadonlyMap<number, number>;
}

export interface Survey {
  segments: readonly SegmentState[];
  /**
   * Whether at some moment during the survey the whole stock was at most what is told: nothing but deductions
   * happened between the readings.
   */
  isBound: boolean;
  /** Whether it is the state of one moment. */
  isExact: boolean;
}

/** The entry of an order and of a delivery in a ledger; `since`, without a prefix, is the ledger's own. */
export const orderField = (orderId: string): string => `o${orderId}`;
export const deliveryField = (restockId: string): string => `r${restockId}`;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

function unexpected(what: string, answer: unknown): LockError {
  const sentence = `Redis answered ${JSON.stringify(answer)} to the stock's ${what}; is something else under its keys?`;
  return new LockError('REDIS_ERROR', sentence, { answer });
}

/** Raised inside the module when a segment is missing or belongs to another layout: look at the control again. */
export class LayoutChanged extends Error {}

function numbers(what: string, answer: unknown): number[] {
  if (answer === null) throw new LayoutChanged(what);
  if (!isNumbers(answer)) throw unexpected(what, answer);
  return answer;
}

const number = (what: string, answer: unknown): number =>
  numbers(what, answer === null ? null : [answer])[0] ?? 0;

/** The scripts on segments, typed. Every method throws LayoutChanged and LockError REDIS_…. */
export class Segments {
  readonly #redis: RedisConnection;
  readonly #keys: StockKeys;

  constructor(redis: RedisConnection, keys: StockKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  async sell({ segments }: Layout, index: number, lines: readonly Line[]): Promise<Sold> {
    const args: (string | number)[] = [segments];
    for (const { field, quantity } of lines) args.push(field, quantity);
    const keys = this.#keys.withLedgers(index);
    const answer = await runScript(this.#redis, SELL, { keys, args });
    const [left = 0, ...codes] = numbers('deduction', answer);
    return { left, codes };
  }

  async giveBack(
    { segments }: Layout,
    index: number,
    field: string,
  ): Promise<{ quantity: number; isRepeat: boolean }> {
    const keys = this.#keys.withLedgers(index);
    const answer = await runScript(this.#redis, GIVE_BACK, { keys, args: [segments, field] });
    const [quantity = 0, repeat] = numbers('return', answer);
    return { quantity, isRepeat: repeat === 1 };
  }

  /** Returns what {@link RESTOCK} answers. */
  async restock({ segments }: Layout, index: number, line: Line): Promise<number> {
    const keys = this.#keys.withLedgers(index);
    const args = [segments, line.field, line.quantity];
    return number('restocking', await runScript(this.#redis, RESTOCK, { keys, args }));
  }

  /** Carries units over. Ended in the middle, {@link settle} of anybody completes it. */
  async move(layout: Layout, { from, to, quantity }: Move): Promise<void> {
    const keys = [this.#keys.segment(from)];
    const args = [layout.segments, to, quantity];
    const given = number('move', await runScript(this.#redis, TAKE, { keys, args }));
    await this.#put(layout, { from, to, given });
  }

  /** Completes every move that is half done. Returns how many units arrived. */
  async settle(layout: Layout, states: readonly SegmentState[]): Promise<number> {
    const halves = states.flatMap((donor, from) =>
      [...donor.to]
        .filter(([to, given]) => given > (states[to]?.from.get(from) ?? 0))
        .map(([to, given]) => ({ from, to, given })),
    );
    const added = await Promise.all(halves.map((half) => this.#put(layout, half)));
    return added.reduce((sum, units) => sum + units, 0);
  }

  async #put(
    { segments }: Layout,
    { from, to, given }: { from: number; to: number; given: number },
  ): Promise<number> {
    const keys = [this.#keys.segment(to)];
    const args = [segments, from, given];
    return number('move', await runScript(this.#redis, PUT, { keys, args }));
  }

  /** In one Redis one script; in a Cluster two readings, which tell whether something happened between. */
  async survey(layout: Layout): Promise<Survey> {
    const first = await this.#read(layout);
    if (!this.#redis.isCluster) return { segments: first, isBound: true, isExact: true };
    const second = await this.#read(layout);
    const isBound = first.every(({ moves }, index) => moves === second[index]?.moves);
    const isQuiet = first.every(({ sold }, index) => sold === second[index]?.sold);
    return { segments: second, isBound, isExact: isBound && isQuiet };
  }

  async #read({ segments }: Layout): Promise<SegmentState[]> {
    const keys = Array.from({ length: segments }, (_, index) => this.#keys.segment(index));
    const groups = this.#redis.isCluster ? keys.map((key) => [key]) : [keys];
    const answers = await Promise.all(
      groups.map((group) => runScript(this.#redis, SURVEY, { keys: group })),
    );
    return answers.flatMap((answer) => {
      if (!Array.isArray(answer)) throw unexpected('survey', answer);
      return answer.map((fields) => segmentState(fields, segments));
    });
  }
}

function segmentState(answer: unknown, segments: number): SegmentState {
  if (!Array.isArray(answer)) throw unexpected('survey', answer);
  const fields = new Map<string, number>();
  for (let i = 0; i < answer.length; i += 2) fields.set(String(answer[i]), Number(answer[i + 1]));
  if (fields.get('segments') !== segments) throw new LayoutChanged('survey');
  const others = (side: string): Map<number, number> =>
    new Map(
      Array.from({ length: segments }, (_, index) => index)
        .filter((index) => fields.has(`${side}:${index}`))
        .map((index) => [index, fields.get(`${side}:${index}`) ?? 0]),
    );
  return {
    left: fields.get('left') ?? 0,
    sold: fields.get('sold') ?? 0,
    stocked: fields.get('stocked') ?? 0,
    moves: fields.get('moves') ?? 0,
    to: others('to'),
    from: others('from'),
  };
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, one) => sum + one, 0);

/** Units taken from a segment and not yet in another. */
export const inTransit = (states: readonly SegmentState[]): number =>
  sumOf(states.map(({ to, from }) => sumOf(to.values()) - sumOf(from.values())));

export const unitsLeft = (states: readonly SegmentState[]): number =>
  sumOf(states.map(({ left }) => left)) + inTransit(states);
