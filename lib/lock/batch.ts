import type { RedisConnection } from './contract.js';
import { fromRedis } from './from-redis.js';
import { runScript, type Script } from './scripts/run-script.js';
import type { Operation, OperationCode, Sender } from './sender.js';

/** More operations in one script would keep Redis's other clients waiting. */
const MOST = 32;
/**
 * The first script of a tick goes when it has so many, while the rest is still being asked for, so that Redis is at
 * work by then: sent together, the two would take turns, and 16 workers get two thirds of the pairs.
 */
const FIRST = 8;
/** Patience with a server before whoever waits for it is told. */
const SLOW_MS = 1000;

interface Sent {
  operations: Operation[];
  keys: string[];
  words: string[];
  sentAt: number;
  /** How often the connection had been cut before. */
  cuts: number;
}

/** A release across a cut connection: sent twice, it finds its own work done, and says "not held". */
const RELEASED_BEFORE = 2;

/**
 * Sends what was asked for before the event loop goes on together, in as few scripts as keeps both sides at work.
 * In a cluster every operation goes alone, since locks live in different slots.
 */
export class Batch implements Sender {
  readonly #redis: RedisConnection;
  readonly #script: Script;
  readonly #head: [mode: string, clustered: string, instance: string];
  readonly #stream: string | null;
  readonly #most: number;
  /** How many make the next script of this tick. */
  #size: number;
  readonly #unanswered = new Set<Sent>();
  #keys: string[] = [];
  #words: string[] = [];
  #operations: Operation[] = [];
  #isScheduled = false;
  readonly #cuts: () => number;
  #patience: NodeJS.Timeout | null = null;

  constructor(options: {
    redis: RedisConnection;
    script: Script;
    instance: string;
    reports: 'off' | 'contended' | 'all';
    stream: string;
    /** How often the connection has been cut so far. */
    cuts: () => number;
  }) {
    this.#redis = options.redis;
    this.#script = options.script;
    const clustered = options.redis.isCluster;
    // A stream lives in another slot than the locks: in a cluster reports go their own way.
    const reports = clustered ? 'off' : options.reports;
    const mode = { off: '0', contended: '1', all: '2' }[reports];
    this.#head = [mode, clustered ? '1' : '0', options.instance];
    this.#stream = reports === 'off' ? null : options.stream;
    this.#most = clustered ? 1 : MOST;
    this.#size = Math.min(this.#most, FIRST);
    this.#cuts = options.cuts;
  }

  add(
    operation: Operation,
    code: OperationCode,
    key: string,
    task: string,
    ttlMs: number,
    extra: string,
  ): void {
    this.#keys.push(key);
    this.#words.push(code + task, extra === '' ? `${ttlMs}` : `${ttlMs} ${extra}`);
    this.#operations.push(operation);
    if (this.#operations.length >= this.#size) {
      this.#send();
      this.#size = Math.min(this.#most, this.#size * 3);
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    this.#size = Math.min(this.#most, FIRST);
    if (this.#operations.length > 0) this.#send();
  };

  #send(): void {
    const operations = this.#operations;
    const keys = this.#keys;
    if (this.#stream !== null) keys.push(this.#stream);
    const sent: Sent = {
      operations,
      keys,
      words: this.#words,
      sentAt: performance.now(),
      cuts: this.#cuts(),
    };
    this.#unanswered.add(sent);
    if (!this.#patience) this.#lookIn(SLOW_MS);
    const words = [...keys, ...this.#head, ...this.#words];
    runScript(this.#redis, this.#script, [keys.length, ...words]).then(
      (values) => {
        this.#unanswered.delete(sent);
        this.#deliver(sent, values);
      },
      (error: unknown) => {
        this.#unanswered.delete(sent);
        operations.forEach((operation, i) => operation.failed(fromRedis(error, keys[i])));
      },
    );
    this.#operations = [];
    this.#keys = [];
    this.#words = [];
  }

  #lookIn(ms: number): void {
    this.#patience = setTimeout(this.#look, ms);
    this.#patience.unref();
  }

  /** One timer looks after all that is unanswered; what is answered in time costs none. */
  readonly #look = (): void => {
    this.#patience = null;
    const slowBefore = performance.now() - SLOW_MS;
    for (const sent of this.#unanswered) {
      if (sent.sentAt > slowBefore) {
        this.#lookIn(Math.ceil(sent.sentAt - slowBefore));
        return;
      }
      this.#unanswered.delete(sent);
      for (const operation of sent.operations) operation.slow?.();
    }
  };

  #deliver({ operations, keys, words, cuts }: Sent, values: unknown): void {
    if (!Array.isArray(values)) return;
    const wasCut = cuts !== this.#cuts();
    operations.forEach((operation, i) => {
      // A connection with `stringNumbers` gives text.
      const status = Number(values[i * 2]);
      const value: unknown = values[i * 2 + 1];
      if (status === -1) {
        operation.failed(fromRedis(new Error(`${value}`), keys[i]));
        return;
      }
      const isRelease = /^r/i.test(words[i * 2] ?? '');
      const isOwnWork = wasCut && isRelease && status === 0;
      const answer = isOwnWork ? RELEASED_BEFORE : status;
      operation.answered(answer, typeof value === 'number' ? value : `${value}`);
    });
  }
}
