import type { RedisConnection } from '../contract.js';
import { runScript } from '../scripts/run-script.js';
import type { ConfigTopic } from './config-topic.js';
import { ACKNOWLEDGE, seenKey, versionsKey } from './config-wire.js';
import type { AcknowledgeOptions } from './contract.js';

const WITHIN_MS = 1000;
/** A process not heard of for so many checks is no reader any more. */
const CHECKS_OF_LIFE = 3;

/** Tells Redis which versions this process has: once after a change, and again with every check. */
export class Acknowledgements {
  readonly #options: AcknowledgeOptions;
  readonly #redis: RedisConnection;
  readonly #countsMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #planned = new Map<string, NodeJS.Timeout>();

  constructor(options: {
    acknowledge: AcknowledgeOptions;
    redis: RedisConnection;
    checkMs: number;
    onError: (error: unknown) => void;
  }) {
    this.#options = options.acknowledge;
    this.#redis = options.acknowledge.redis ?? options.redis;
    this.#countsMs = Math.ceil(options.checkMs * CHECKS_OF_LIFE + this.#withinMs);
    this.#onError = options.onError;
  }

  get #withinMs(): number {
    return this.#options.withinMs ?? WITHIN_MS;
  }

  /** Plans one acknowledgement of what is in force by then; several changes within the time share it. */
  plan(topic: ConfigTopic): void {
    if (this.#planned.has(topic.key)) return;
    const timer = setTimeout(() => {
      this.#planned.delete(topic.key);
      void this.send(topic);
    }, Math.random() * this.#withinMs);
    timer.unref();
    this.#planned.set(topic.key, timer);
  }

  /** Never rejects. */
  async send(topic: ConfigTopic): Promise<void> {
    const version = topic.versionInForce;
    if (!(version > 0) || version === Number.POSITIVE_INFINITY) return;
    try {
      await runScript(this.#redis, ACKNOWLEDGE, [
        2,
        versionsKey(topic.key),
        seenKey(topic.key),
        this.#options.as,
        `${version}`,
        `${this.#countsMs}`,
      ]);
    } catch (error) {
      this.#onError(error);
    }
  }

  stop(): void {
    for (const timer of this.#planned.values()) clearTimeout(timer);
    this.#planned.clear();
  }
}
