import type { Bytes } from '@/lib/protocol/bytes';
import type { Deed, Seen } from './classifier';
import { detached } from './detached';
import { countAt, noRate, type Rate } from './rate';

/** Failed attempts per second of one lock, or of one client, from which on it is a storm. */
export const STORM_PER_SECOND = 50;
// Libraries that poll ask 5 to 10 times a second: fifty are more than half a dozen patient waiters, each of them a
// round trip that nobody gains by; one waiter that sleeps between its tries never gets there.

/** Beyond these, new ones are no longer counted one by one. */
export const MOST_KEYS = 20_000;
export const MOST_CLIENTS = 5_000;
/** Pairs of lock and client, over the whole trace and for one lock. */
const MOST_PAIRS = 100_000;
const MOST_CLIENTS_OF_KEY = 1_000;

export interface Pair {
  attempts: number;
  failed: number;
}

export interface KeyCount extends Pair {
  db: number;
  key: Bytes;
  renewals: number;
  releases: number;
  looks: number;
  failedRate: Rate;
  clients: Map<string, Pair>;
  waiting: Set<string>;
  /** Failures that follow from what was known, not from what was seen. */
  inferred: number;
}

export interface ClientCount extends Pair {
  addr: string;
  failedRate: Rate;
  keys: number;
}

/** Sums of a trace. Its memory is bounded whatever it is told: beyond the bounds it is `truncated`. */
export class TraceCounts {
  readonly keys = new Map<string, KeyCount>();
  readonly clients = new Map<string, ClientCount>();
  attempts = 0;
  failed = 0;
  truncated = false;
  #pairs = 0;

  add({ at, db, key, client, deed, isObserved }: Seen): void {
    const isFailure = deed === 'failed';
    const isAttempt = isFailure || deed === 'took';
    if (isAttempt) this.attempts++;
    if (isFailure) this.failed++;
    const ofKey = this.#keyOf(db, key);
    if (!ofKey) return;
    if (!isAttempt) return this.#other(ofKey, deed, client);
    count(ofKey, isFailure);
    if (isFailure) countAt(ofKey.failedRate, at);
    if (isFailure && !isObserved) ofKey.inferred++;
    const ofClient = this.#clientOf(client);
    if (!ofClient) return;
    count(ofClient, isFailure);
    if (isFailure) countAt(ofClient.failedRate, at);
    this.#pair(ofKey, ofClient, isFailure);
  }

  #other(ofKey: KeyCount, deed: Deed, client: string): void {
    if (deed === 'renewed') ofKey.renewals++;
    else if (deed === 'released') ofKey.releases++;
    else if (deed === 'looked') ofKey.looks++;
    else if (ofKey.waiting.size < MOST_CLIENTS_OF_KEY) ofKey.waiting.add(detached(client));
  }

  #pair(ofKey: KeyCount, ofClient: ClientCount, isFailure: boolean): void {
    const known = ofKey.clients.get(ofClient.addr);
    if (known) return count(known, isFailure);
    if (this.#pairs >= MOST_PAIRS || ofKey.clients.size >= MOST_CLIENTS_OF_KEY) {
      this.truncated = true;
      return;
    }
    this.#pairs++;
    ofClient.keys++;
    ofKey.clients.set(ofClient.addr, { attempts: 1, failed: isFailure ? 1 : 0 });
  }

  #keyOf(db: number, key: Bytes): KeyCount | null {
    const id = `${db}:${key}`;
    const known = this.keys.get(id);
    if (known) return known;
    if (this.keys.size >= MOST_KEYS) {
      this.truncated = true;
      return null;
    }
    const made: KeyCount = {
      db,
      key: detached(key),
      attempts: 0,
      failed: 0,
      renewals: 0,
      releases: 0,
      looks: 0,
      failedRate: noRate(),
      clients: new Map(),
      waiting: new Set(),
      inferred: 0,
    };
    this.keys.set(`${db}:${made.key}`, made);
    return made;
  }

  #clientOf(addr: string): ClientCount | null {
    const known = this.clients.get(addr);
    if (known) return known;
    if (this.clients.size >= MOST_CLIENTS) {
      this.truncated = true;
      return null;
    }
    const own = detached(addr);
    const made: ClientCount = { addr: own, attempts: 0, failed: 0, failedRate: noRate(), keys: 0 };
    this.clients.set(own, made);
    return made;
  }
}

function count(of: Pair, isFailure: boolean): void {
  of.attempts++;
  if (isFailure) of.failed++;
}
