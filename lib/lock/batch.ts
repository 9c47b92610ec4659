import type { RedisConnection } from './contract.js';
import { fromRedis } from './from-redis.js';
import type { LockNames } from './names.js';
import { runScript, type Script } from './scripts/run-script.js';
import type { Operation, OperationCode, Sender } from './sender.js';

/**
 * More operations in one script would keep Redis's other clients waiting; and several scripts keep Redis and
 * us at work at the same time, where one makes them take turns.
 */
const MOST = 32;
/** Patience with a server before whoever waits for it is told. */
export const SLOW_MS = 1000;

/**
 * Sends the operations of one tick in one write: all that was asked for before the event loop goes on.
 * In a cluster every operation goes alone, since locks live in different slots.
 */
export class Batch implements Sender {
  readonly #redis: RedisConnection;
  readonly #script: Script;
  readonly #head: [mode: string, clustered: string];
  readonly #stream: string | null;
  readonly #most: number;
  #keys: string[] = [];
  #words: string[] = [];
  #operations: Operation[] = [];
  #isScheduled = false;

  constructor(options: {
    redis: RedisConnection;
    script: Script;
    reports: 'off' | 'contended' | 'all';
    stream: string;
  }) {
    this.#redis = options.redis;
    this.#script = options.script;
    const clustered = options.redis.isCluster;
    // A stream lives in another slot than the locks: in a cluster reports go their own way.
    const mode = clustered ? 'off' : options.reports;
    this.#head = [{ off: '0', contended: '1', all: '2' }[mode], clustered ? '1' : '0'];
    this.#stream = mode === 'off' ? null : options.stream;
    this.#most = clustered ? 1 : MOST;
  }

  add(
    operation: Operation,
    code: OperationCode,
    names: LockNames,
    owner: string,
    ttlMs: string,
    extra: string,
  ): void {
    this.#keys.push(names.lock, names.queue, names.fence);
    this.#words.push(code, owner, ttlMs, extra);
    this.#operations.push(operation);
    if (this.#operations.length === this.#most) {
      this.#send();
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      process.nextTick(this.#flush);
    }
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    if (this.#operations.length > 0) this.#send();
  };

  #send(): void {
    const operations = this.#operations;
    const keys = this.#keys;
    if (this.#stream !== null) keys.push(this.#stream);
    const answer = runScript(this.#redis, this.#script, [
      keys.length,
      ...keys,
      ...this.#head,
      ...this.#words,
    ]);
    this.#operations = [];
    this.#keys = [];
    this.#words = [];
    const patience = setTimeout(() => {
      for (const operation of operations) operation.slow?.();
    }, SLOW_MS);
    patience.unref();
    answer.then(
      (values) => {
        clearTimeout(patience);
        deliver(operations, keys, values);
      },
      (error: unknown) => {
        clearTimeout(patience);
        operations.forEach((operation, i) => operation.failed(fromRedis(error, keys[i * 3])));
      },
    );
  }
}

function deliver(operations: Operation[], keys: string[], values: unknown): void {
  if (!Array.isArray(values)) return;
  operations.forEach((operation, i) => {
    const status: unknown = values[i * 2];
    const value: unknown = values[i * 2 + 1];
    if (status === -1) operation.failed(fromRedis(new Error(`${value}`), keys[i * 3]));
    else operation.answered(Number(status), typeof value === 'number' ? value : `${value}`);
  });
}
