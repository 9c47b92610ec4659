import type { RedisConnection } from '../contract.js';
import { LockError } from '../errors.js';
import type { Script } from '../scripts/run-script.js';
import type { StockKeys } from './keys.js';
import type { Layout } from './layout.js';
import type { Move } from './plan.js';
import { GIVE_BACK, PUT, RESTOCK, runStockScript, SELL, SURVEY, TAKE } from './scripts.js';

/** One order's line in a batch; `field` is its name in the ledger. */
export interface Line {
  field: string;
  quantity: number;
}

/** Lines of one segment. */
export type Group = readonly [index: number, lines: readonly Line[]];

/** What {@link SELL} answers for one segment. */
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

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, one) => sum + one, 0);

function lists(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  const sentence = `Redis answered ${JSON.stringify(answer)} where the stock expects a list; does a proxy stand between?`;
  throw new LockError('REDIS_ERROR', sentence, { answer });
}

/** The scripts on segments, typed. Every method throws STOCK_LOST, REDIS_… and WRONG_TYPE. */
export class Segments {
  readonly #redis: RedisConnection;
  readonly #keys: StockKeys;
  readonly #onLost: () => void;

  /** `onLost` is called before STOCK_LOST is thrown: the layout that was handed in is out of date. */
  constructor(parts: { redis: RedisConnection; keys: StockKeys; onLost: () => void }) {
    this.#redis = parts.redis;
    this.#keys = parts.keys;
    this.#onLost = parts.onLost;
  }

  /** Whether one script may work on several segments: not in a Cluster, where each has a slot of its own. */
  get areTogether(): boolean {
    return !this.#redis.isCluster;
  }

  /** Sells in one script; several segments only where they are together. STOCK_LOST is answered, not thrown. */
  async sell({ segments }: Layout, groups: readonly Group[]): Promise<(Sold | LockError)[]> {
    const args = [`${segments}`];
    for (const [, lines] of groups) {
      args.push(`${lines.length}`);
      for (const { field, quantity } of lines) args.push(field, `${quantity}`);
    }
    const keys = groups.flatMap(([index]) => this.#keys.withLedgers(index));
    const answers = lists(await runStockScript(this.#redis, SELL, { keys, args }));
    return groups.map(([index], i) => {
      const answer = answers[i];
      if (answer === null) return this.#lost(index);
      const [left = 0, ...codes] = this.#numbers(index, answer);
      return { left, codes };
    });
  }

  async giveBack(
    { segments }: Layout,
    index: number,
    field: string,
  ): Promise<{ quantity: number; isRepeat: boolean }> {
    const [quantity = 0, repeat] = await this.#withLedgers(GIVE_BACK, index, [
      `${segments}`,
      field,
    ]);
    return { quantity, isRepeat: repeat === 1 };
  }

  /** Returns what {@link RESTOCK} answers. */
  async restock(layout: Layout, index: number, { field, quantity }: Line): Promise<number> {
    const [code = 0] = await this.#withLedgers(RESTOCK, index, [
      `${layout.segments}`,
      field,
      `${quantity}`,
    ]);
    return code;
  }

  /** Carries units over. Ended in the middle, {@link settle} of anybody completes it. */
  async move(layout: Layout, { from, to, quantity }: Move): Promise<void> {
    const args = [`${layout.segments}`, `${to}`, `${quantity}`];
    const [given = 0] = await this.#onSegment(TAKE, from, args);
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
    return sumOf(added);
  }

  async #put(
    { segments }: Layout,
    { from, to, given }: { from: number; to: number; given: number },
  ): Promise<number> {
    const [added = 0] = await this.#onSegment(PUT, to, [`${segments}`, `${from}`, `${given}`]);
    return added;
  }

  async #withLedgers(
    script: Script,
    index: number,
    args: readonly string[],
  ): Promise<readonly number[]> {
    const keys = this.#keys.withLedgers(index);
    return this.#numbers(index, await runStockScript(this.#redis, script, { keys, args }));
  }

  async #onSegment(
    script: Script,
    index: number,
    args: readonly string[],
  ): Promise<readonly number[]> {
    const keys = [this.#keys.segment(index)];
    return this.#numbers(index, await runStockScript(this.#redis, script, { keys, args }));
  }

  /** In one Redis one script; in a Cluster two readings, which tell whether something happened between. */
  async survey(layout: Layout): Promise<Survey> {
    const first = await this.#read(layout);
    if (!this.#redis.isCluster) return { segments: first, isBound: true, isExact: true };
    const second = await this.#read(layout);
    const isBound = first.every(({ moves }, index) => moves === second[index]?.moves);
    const isQuiet = first.every(({ sold }, index) => sold === second[index]?.sold);
    return { segments: first, isBound, isExact: isBound && isQuiet };
  }

  async #read({ segments }: Layout): Promise<SegmentState[]> {
    const keys = Array.from({ length: segments }, (_, index) => this.#keys.segment(index));
    const groups = this.#redis.isCluster ? keys.map((key) => [key]) : [keys];
    const answers = await Promise.all(
      groups.map(async (group) =>
        lists(await runStockScript(this.#redis, SURVEY, { keys: group })),
      ),
    );
    return answers.flat().map((answer, index) => {
      const fields = numberFields(lists(answer));
      if (fields.get('segments') !== segments) throw this.#lost(index);
      return parseSegment(fields, segments);
    });
  }

  /** A script that found no segment of its layout answers nil, any other one number or a list of them. */
  #numbers(index: number, answer: unknown): readonly number[] {
    if (answer === null) throw this.#lost(index);
    return Array.isArray(answer) ? answer.map(Number) : [Number(answer)];
  }

  #lost(index: number): LockError {
    this.#onLost();
    const key = this.#keys.segment(index);
    const sentence =
      `${key} is missing or of another set-up: evicted, deleted, or lost in a failover. ` +
      'Nothing is sold rather than sold twice; if the stock was set up anew, call again.';
    return new LockError('STOCK_LOST', sentence, { key });
  }
}

function numberFields(items: readonly unknown[]): Map<string, number> {
  const fields = new Map<string, number>();
  for (let i = 0; i < items.length; i += 2) fields.set(String(items[i]), Number(items[i + 1]));
  return fields;
}

function parseSegment(fields: ReadonlyMap<string, number>, segments: number): SegmentState {
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

/** Units taken from a segment and not yet in another. */
export const inTransit = (states: readonly SegmentState[]): number =>
  sumOf(states.map(({ to, from }) => sumOf(to.values()) - sumOf(from.values())));

export const unitsLeft = (states: readonly SegmentState[]): number =>
  sumOf(states.map(({ left }) => left)) + inTransit(states);
