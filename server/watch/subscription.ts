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
 * `exchanged`: all as asked. `added`: this user may not unsubscribe, so the old ones are there as well.
 * `cannot-remove`: the same, and nothing was done. `refused`: one of the new ones may not be had.
 */
export type Exchanged = 'exchanged' | 'added' | 'cannot-remove' | 'refused';

/**
 * Puts patterns in the place of others in one step of Redis, so that no event falls between or comes twice.
 * `done` is called at the place in the stream where they changed. A user without the right to MULTI has the
 * commands taken up one by one, yet together, as they come in one write.
 */
export function exchange(
  connection: EventConnection,
  { remove, add }: { remove: readonly Bytes[]; add: readonly Bytes[] },
  done: (exchanged: Exchanged) => void,
): void {
  const refused = { group: false, remove: false, add: false };
  const note = (what: keyof typeof refused) => (reply: RespValue) => {
    if (reply instanceof RespError) refused[what] = true;
  };
  connection.send(['MULTI'], note('group'));
  // One pattern each: for several, Redis answers more elements than it announced.
  for (const pattern of remove) connection.send(['PUNSUBSCRIBE', pattern], note('remove'));
  for (const pattern of add) connection.send(['PSUBSCRIBE', pattern], note('add'));
  connection.send(['EXEC'], (reply) => {
    if (!refused.group && isLeftOpen(reply)) connection.drop();
    else if (refused.add) done('refused');
    else if (refused.remove) done(refused.group ? 'added' : 'cannot-remove');
    else done('exchanged');
  });
}

/** Who may MULTI and not EXEC has all that comes after it queued for ever. */
const isLeftOpen = (reply: RespValue): boolean =>
  reply instanceof RespError && !reply.message.startsWith('EXECABORT');

export function unsubscribe(connection: EventConnection, patterns: readonly Bytes[]): void {
  for (const pattern of patterns) connection.send(['PUNSUBSCRIBE', pattern]);
}
