import type { Redis } from 'ioredis';
import { z } from 'zod';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import type { RefusalsObservation } from './observation';
import type { ProbeLoads } from './probe-load';

/**
 * Where sidekiq-unique-jobs writes what it did and refused: a sorted set by the client's time (s), each member
 * JSON with `digest` and `message` (sidekiq_unique_jobs/lua/shared/_common.lua).
 */
export const CHANGELOG_KEY: Bytes = 'uniquejobs:changelog';

/** Refused because others hold all there is (`lock.lua`, `queue.lua`); `Duplicate` is told of a job's own lock. */
const REFUSALS: ReadonlySet<string> = new Set(['Limited', 'Limit exceeded']);
const NEWEST = 200;
const SPAN_MS = 60_000;
const MAX_LOCKS = 1_000;
const MAX_TEXT = 1_000;
const LogEntry = z.object({ digest: z.string(), message: z.string() });

interface Entry {
  member: Bytes;
  key: Bytes;
  at: number;
}

interface Log {
  isUnread: boolean;
  /** Members of the last look; null before the first. */
  seen: ReadonlySet<Bytes> | null;
  refused: Map<Bytes, number[]>;
}

/** Reads who was refused, when an event tells that there is more. */
export interface ChangelogWatch {
  /** The log of this db has grown. */
  note: (db: number) => void;
  run: (connection: (db: number) => Promise<Redis>) => Promise<void>;
}

export function createChangelogWatch(options: {
  loads: Pick<ProbeLoads, 'asked'>;
  deliver: (seen: RefusalsObservation[]) => void;
  now: () => number;
}): ChangelogWatch {
  const { loads, now } = options;
  const logs = new Map<number, Log>();

  const read = async (redis: Redis, db: number, log: Log): Promise<void> => {
    const began = performance.now();
    const reply = await redis.callBuffer('ZREVRANGE', [
      CHANGELOG_KEY,
      '0',
      String(NEWEST - 1),
      'WITHSCORES',
    ]);
    const entries = entriesOf(reply);
    const at = now();
    const touched = new Set<Bytes>();
    for (const { member, key, at: writtenAt } of entries.refusals) {
      if (log.seen?.has(member)) continue;
      // What was there before the first look tells its time itself, by its client's clock.
      const refusedAt = log.seen === null ? writtenAt : at;
      if (refusedAt <= at - SPAN_MS || (!log.refused.has(key) && log.refused.size >= MAX_LOCKS)) {
        continue;
      }
      log.refused.set(key, [...(log.refused.get(key) ?? []), refusedAt]);
      touched.add(key);
    }
    log.seen = entries.members;
    loads.asked('changelog', {
      commands: 1,
      ms: performance.now() - began,
      locks: log.refused.size,
    });
    options.deliver(countsOf(log, { db, at, touched }));
  };

  return {
    note: (db) => {
      const log = logs.get(db);
      if (log) log.isUnread = true;
      else logs.set(db, { isUnread: true, seen: null, refused: new Map() });
    },
    run: async (connection) => {
      for (const [db, log] of logs) {
        if (!log.isUnread) continue;
        log.isUnread = false;
        await read(await connection(db), db, log);
      }
    },
  };
}

/** How many of the last minute, for each lock that was refused just now. */
function countsOf(
  { refused }: Log,
  { db, at, touched }: { db: number; at: number; touched: ReadonlySet<Bytes> },
): RefusalsObservation[] {
  for (const [key, times] of refused) {
    const recent = times.filter((time) => time > at - SPAN_MS);
    if (recent.length === 0) refused.delete(key);
    else refused.set(key, recent);
  }
  return [...touched].flatMap((key) => {
    const count = refused.get(key)?.length ?? 0;
    return count === 0 ? [] : [{ kind: 'refusals' as const, at, db, key, count }];
  });
}

/** All members, and those of them that are refusals; whatever else stands there is passed over. */
function entriesOf(reply: unknown): { members: Set<Bytes>; refusals: Entry[] } {
  // Member, score, member, score…; with RESP3 each two are an array of their own.
  const flat: unknown[] = Array.isArray(reply) ? reply.flat() : [];
  const members = new Set<Bytes>();
  const refusals: Entry[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const member = flat[i];
    if (!Buffer.isBuffer(member)) continue;
    const bytes = member.toString('latin1');
    members.add(bytes);
    const key = refusedKey(member);
    if (key !== null) refusals.push({ member: bytes, key, at: Number(String(flat[i + 1])) * 1000 });
  }
  return { members, refusals };
}

/** The key of the lock that a job did not get; null for any other entry. */
function refusedKey(member: Buffer): Bytes | null {
  if (member.length > MAX_TEXT) return null;
  let entry: unknown;
  try {
    entry = JSON.parse(member.toString());
  } catch {
    // Anybody may write there: what is not of this library is no refusal.
    return null;
  }
  const { data } = LogEntry.safeParse(entry);
  return data && REFUSALS.has(data.message) ? bytesFromText(data.digest) : null;
}
