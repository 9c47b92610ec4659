import type { Redis } from 'ioredis';

export interface KeyEvent {
  db: number;
  key: string;
  /** The command, as Redis announces it. */
  name: string;
  /** Epoch ms with a fraction: when it reached us. */
  at: number;
}

/** Milliseconds since the epoch, with a fraction. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** Every event on the suite's Redis since it began, for telling when a command took effect. */
export class KeyEvents {
  readonly #events: KeyEvent[] = [];

  /** `subscriber` is a connection that nobody else uses. */
  async listen(subscriber: Redis): Promise<void> {
    subscriber.on('pmessage', (_, channel: string, name: string) => {
      const at = preciseNow();
      const [, db, key] = /^__keyspace@(\d+)__:([^]*)$/.exec(channel) ?? [];
      if (key !== undefined) this.#events.push({ db: Number(db), key, name, at });
    });
    await subscriber.psubscribe('__keyspace@*__:*');
  }

  /** The first such event on the key after that moment, or undefined. */
  after(key: string, names: readonly string[], at: number): KeyEvent | undefined {
    return this.#events.find(
      (event) => event.at >= at && event.key === key && names.includes(event.name),
    );
  }
}
