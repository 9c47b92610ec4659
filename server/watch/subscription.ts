import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import { RespError, type RespValue } from '@/server/redis/resp-reader';

export const ALL_KEYSPACE = '__keyspace@*__:*';
export const ALL_KEYEVENT = '__keyevent@*__:*';

/** How events arrive: by key, by event, or not at all. */
export type EventMode = 'keyspace' | 'keyevent' | null;

export interface Subscribed {
  mode: EventMode;
  patterns: readonly Bytes[];
  /** Why the last attempt left all as it was. */
  refusal: string | null;
}

export const NOT_SUBSCRIBED: Subscribed = { mode: null, patterns: [], refusal: null };

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
 * A tier of which any pattern is refused is taken back; `present` stays, and is all there is where every tier is.
 */
export function subscribe(
  connection: EventConnection,
  { tiers, present }: { tiers: readonly Tier[]; present: Subscribed },
  done: (subscribed: Subscribed) => void,
): void {
  const attempt = (index: number, refusal: string | null): void => {
    const tier = tiers[index];
    if (!tier) {
      done({ ...present, refusal });
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
        unsubscribe(
          connection,
          granted.filter((each) => !present.patterns.includes(each)),
        );
        attempt(index + 1, refused);
      });
    });
  };
  attempt(0, null);
}

/**
 * Puts patterns in the place of others in one step of Redis, so that no event falls between or comes twice.
 * `done` tells, at the place in the stream where they changed, whether they did; false = all is as before,
 * except for a user without the right to MULTI of whose patterns one was refused.
 */
export function exchange(
  connection: EventConnection,
  { remove, add }: { remove: readonly Bytes[]; add: readonly Bytes[] },
  done: (changed: boolean) => void,
): void {
  let refused = false;
  const note = (reply: RespValue): void => {
    if (reply instanceof RespError) refused = true;
  };
  let mayGroup = true;
  connection.send(['MULTI'], (reply) => {
    // The others then count one by one; Redis takes them up together, as they come in one write.
    mayGroup = !(reply instanceof RespError);
  });
  // One pattern each: for several, Redis answers more elements than it announced.
  for (const pattern of remove) connection.send(['PUNSUBSCRIBE', pattern], note);
  for (const pattern of add) connection.send(['PSUBSCRIBE', pattern], note);
  connection.send(['EXEC'], (reply) => {
    if (mayGroup) note(reply);
    done(!refused && (!mayGroup || (Array.isArray(reply) && !reply.some(isError))));
  });
}

const isError = (reply: RespValue): boolean => reply instanceof RespError;

export function unsubscribe(connection: EventConnection, patterns: readonly Bytes[]): void {
  for (const pattern of patterns) connection.send(['PUNSUBSCRIBE', pattern]);
}
