import type { Redis } from 'ioredis';
import { bytesFromText, printable } from '@/lib/protocol/bytes';
import type { InstanceFacts, InstanceObservation } from './observation';
import { presenceKey } from './own-keys';

/** For how long the client renews its presence, every 10 s. */
const PRESENCE_MS = 30_000;
/** Two clocks and the way between them. */
const LOOK_AFTER_MS = 50;
const MAX_INSTANCES = 10_000;
const MAX_TEXT_CHARACTERS = 200;
const READ_AT_ONCE = 500;
/** A Redlock has a handful. */
const MAX_NODES = 15;

interface Known {
  db: number;
  isPresent: boolean;
  /** It uses a Redlock, and says with each sign of life which of its servers vote. */
  hasGroup: boolean;
  /** When we look again if nothing is heard; null = an event will tell of its return. */
  lookAt: number | null;
}

export interface InstanceWatchOptions {
  connection: (db: number) => Promise<Redis>;
  deliver: (seen: readonly InstanceObservation[]) => void;
  now: () => number;
}

const textOf = (value: string | null | undefined): string | null =>
  value ? printable(bytesFromText(value.slice(0, MAX_TEXT_CHARACTERS))) : null;

const listIn = (value: string | null | undefined): string[] =>
  (value ?? '')
    .split(' ', MAX_NODES)
    .map((each) => textOf(each) ?? '')
    .filter((each) => each !== '');

function factsOf(fields: readonly (string | null)[]): InstanceFacts | null {
  if (fields.every((field) => field === null)) return null;
  const [host, ip, pid, app, nodes, silent] = fields;
  const isPid = pid !== null && pid !== undefined && /^\d{1,9}$/.test(pid);
  return {
    host: textOf(host),
    ip: textOf(ip),
    pid: isPid ? Number(pid) : null,
    app: textOf(app),
    ...(nodes && { group: { nodes: listIn(nodes), silent: listIn(silent) } }),
  };
}

/** Who the instances of our client are, and whether each still renews its presence key. */
export class InstanceWatch {
  readonly #options: InstanceWatchOptions;
  readonly #known = new Map<string, Known>();
  readonly #unread = new Set<string>();

  constructor(options: InstanceWatchOptions) {
    this.#options = options;
  }

  /** An event of a presence key. */
  observe(db: number, instance: string, event: string): void {
    const known = this.#known.get(instance);
    if (event === 'del' || event === 'expired' || event === 'evicted') {
      if (known) this.#unread.add(instance);
    } else if (known?.isPresent && (event === 'expire' || event === 'hset')) {
      known.lookAt = this.#options.now() + PRESENCE_MS + LOOK_AFTER_MS;
      // What else it says of itself stays as it was.
      if (known.hasGroup && event === 'hset') this.#unread.add(instance);
    } else this.#look(db, instance);
  }

  /** An owner of this instance was seen, or its presence key. */
  mention(db: number, instance: string): void {
    if (!this.#known.has(instance)) this.#look(db, instance);
  }

  /** Events were missed. */
  noteAll(): void {
    for (const instance of this.#known.keys()) this.#unread.add(instance);
  }

  /** Reads the presence of those that changed and of those that gave no sign. */
  async run(): Promise<void> {
    const now = this.#options.now();
    for (const [instance, { lookAt }] of this.#known) {
      if (lookAt !== null && lookAt <= now) this.#unread.add(instance);
    }
    const byDb = new Map<number, string[]>();
    for (const instance of this.#unread) {
      const db = this.#known.get(instance)?.db ?? 0;
      byDb.set(db, [...(byDb.get(db) ?? []), instance]);
    }
    for (const [db, instances] of byDb) {
      for (let at = 0; at < instances.length; at += READ_AT_ONCE) {
        await this.#read(db, instances.slice(at, at + READ_AT_ONCE));
      }
    }
  }

  #look(db: number, instance: string): void {
    if (!this.#known.has(instance)) {
      if (this.#known.size >= MAX_INSTANCES) this.#forgetOne();
      this.#known.set(instance, { db, isPresent: false, hasGroup: false, lookAt: null });
    }
    this.#unread.add(instance);
  }

  /** The longest known that has gone, or else the longest known. */
  #forgetOne(): void {
    let oldest: string | undefined;
    for (const [instance, { isPresent }] of this.#known) {
      oldest ??= instance;
      if (isPresent) continue;
      oldest = instance;
      break;
    }
    if (oldest === undefined) return;
    this.#known.delete(oldest);
    this.#unread.delete(oldest);
  }

  async #read(db: number, instances: readonly string[]): Promise<void> {
    const redis = await this.#options.connection(db);
    const pipeline = redis.pipeline();
    for (const instance of instances) {
      const key = presenceKey(instance);
      pipeline.hmget(key, 'host', 'ip', 'pid', 'app', 'nodes', 'silent', 'startedAt').pttl(key);
    }
    for (const instance of instances) this.#unread.delete(instance);
    const replies = (await pipeline.exec()) ?? [];
    const at = this.#options.now();
    const seen = instances.flatMap((instance, i): InstanceObservation[] => {
      const [error, fields] = replies[2 * i] ?? [];
      const ttl = Number(replies[2 * i + 1]?.[1]);
      const known = this.#known.get(instance);
      // A key of another type is nobody's presence; what else keeps it from being read says nothing of it.
      if (!known || (error && !error.message.includes('WRONGTYPE'))) return [];
      const facts = error ? null : factsOf(Array.isArray(fields) ? fields : []);
      known.isPresent = facts !== null;
      known.hasGroup = facts?.group !== undefined;
      known.lookAt = facts === null ? null : at + (ttl > 0 ? ttl : PRESENCE_MS) + LOOK_AFTER_MS;
      return [{ kind: 'instance', at, db, instance, facts }];
    });
    if (seen.length > 0) this.#options.deliver(seen);
    const refusal = replies.find(([error]) => error && !error.message.includes('WRONGTYPE'))?.[0];
    if (refusal) throw refusal;
  }
}
