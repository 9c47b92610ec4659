import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import { RespError } from '@/server/redis/resp-reader';

export const ALL_KEYSPACE = '__keyspace@*__:*';
export const ALL_KEYEVENT = '__keyevent@*__:*';

/** How events arrive: by key, by event, or not at all. */
export type EventMode = 'keyspace' | 'keyevent' | null;

export interface Subscribed {
  mode: EventMode;
  patterns: readonly Bytes[];
  /** The refusal of the last attempt when `mode` is null. */
  refusal: string | null;
}

/** One way to subscribe; all its patterns must be allowed. */
export interface Tier {
  mode: Exclude<EventMode, null>;
  patterns: readonly Bytes[];
}

/** Narrow first: unrelated keys are then never sent. The wide ones are what an ACL can name literally. */
export function subscriptionTiers(
  keyPatterns: readonly Bytes[],
  dbs: readonly number[],
  flags: string | null,
): Tier[] {
  const db = dbs.length === 1 ? String(dbs[0]) : '*';
  const narrow: Tier = {
    mode: 'keyspace',
    patterns: keyPatterns.map((pattern) => `__keyspace@${db}__:${pattern}`),
  };
  const wide: Tier = { mode: 'keyspace', patterns: [ALL_KEYSPACE] };
  const byEvent: Tier = { mode: 'keyevent', patterns: [ALL_KEYEVENT] };
  if (flags !== null && flags.includes('E') && !flags.includes('K')) return [byEvent, narrow, wide];
  return [narrow, wide, byEvent];
}

/**
 * Tries the tiers in turn and calls `done` at the place in the stream from which on events are whole.
 * A tier of which any pattern is refused is taken back.
 */
export function subscribe(
  connection: EventConnection,
  tiers: readonly Tier[],
  done: (subscribed: Subscribed) => void,
): void {
  const attempt = (index: number, refusal: string | null): void => {
    const tier = tiers[index];
    if (!tier) {
      done({ mode: null, patterns: [], refusal });
      return;
    }
    let refused: string | null = null;
    const granted: Bytes[] = [];
    tier.patterns.forEach((pattern, i) => {
      connection.send(['PSUBSCRIBE', pattern], (reply) => {
        if (reply instanceof RespError) refused = reply.message;
        else granted.push(pattern);
        if (i < tier.patterns.length - 1) return;
        if (refused === null) {
          done({ mode: tier.mode, patterns: tier.patterns, refusal: null });
          return;
        }
        unsubscribe(connection, granted);
        attempt(index + 1, refused);
      });
    });
  };
  attempt(0, null);
}

export function unsubscribe(connection: EventConnection, patterns: readonly Bytes[]): void {
  for (const pattern of patterns) connection.send(['PUNSUBSCRIBE', pattern]);
}
