import type { RawValue } from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { EventConnection } from '@/server/redis/event-connection';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import { deadlinesOf, rawValue } from './read-reply';
import { LIMITS, type KeyContent, type ReadCompanions, type ReadRequest } from './read-script';

/** Nested replies (RESP3's pairs) as one flat list of texts. */
function flatten(reply: RespValue | undefined): Bytes[] {
  if (typeof reply === 'string') return [reply];
  if (typeof reply === 'number') return [String(reply)];
  return Array.isArray(reply) ? reply.flatMap(flatten) : [];
}

/** The command that returns a value of this type, cut where Redis can cut. */
function contentCommand(type: string, key: Bytes): Bytes[] | null {
  if (type === 'string') return ['GETRANGE', key, '0', String(LIMITS.stringBytes - 1)];
  if (type === 'hash') return ['HSCAN', key, '0', 'COUNT', String(LIMITS.hashFields)];
  if (type === 'list') return ['LRANGE', key, '0', String(LIMITS.listItems - 1)];
  if (type === 'set') return ['SSCAN', key, '0', 'COUNT', String(LIMITS.setMembers)];
  if (type === 'zset') {
    return ['ZRANGE', key, String(-LIMITS.zsetMembers), '-1', 'WITHSCORES'];
  }
  return null;
}

const SIZE_COMMANDS: Record<string, string> = {
  string: 'STRLEN',
  hash: 'HLEN',
  zset: 'ZCARD',
  list: 'LLEN',
  set: 'SCARD',
  stream: 'XLEN',
};

function contentOf(type: string, reply: RespValue): { text: Bytes; flat: Bytes[] } {
  if (type === 'string') return { text: typeof reply === 'string' ? reply : '', flat: [] };
  // A scan's answer begins with where the next one would go on.
  const isScan = type === 'hash' || type === 'set';
  const flat = flatten(isScan && Array.isArray(reply) ? reply[1] : reply);
  const most = type === 'hash' ? 2 * LIMITS.hashFields : LIMITS.setMembers;
  return { text: '', flat: isScan ? flat.slice(0, most) : flat };
}

/**
 * Reads one key by plain commands, for users without EVAL. Two round trips: the type first, then what
 * fits it. Not one moment, but still on the event connection: whatever changes in between is announced
 * by an event, and the caller reads again. `done` gets RespError when the key may not be read, null when
 * the type changed on the way.
 */
export function readPlainly(
  connection: EventConnection,
  db: number,
  request: ReadRequest,
  done: (content: KeyContent | RespError | null) => void,
): void {
  connection.sendIn(db, ['TYPE', request.key], (type) => {
    if (typeof type !== 'string') {
      done(type instanceof RespError ? type : null);
      return;
    }
    readTyped(connection, { db, request, type }, done);
  });
}

function readTyped(
  connection: EventConnection,
  { db, request, type }: { db: number; request: ReadRequest; type: string },
  done: (content: KeyContent | RespError | null) => void,
): void {
  const { key, companions } = request;
  let value: RespValue = '';
  let tail = '';
  let size = 0;
  let queue: KeyContent['queue'] = null;
  let fence: string | null = null;
  const beside = new Map<Bytes, { value: RawValue | null; pttl: number | null }>();
  const content = contentCommand(type, key);
  if (content) connection.sendIn(db, content, (reply) => (value = reply));
  const sizeCommand = SIZE_COMMANDS[type];
  if (type === 'string') {
    connection.sendIn(db, ['GETRANGE', key, String(-LIMITS.tailBytes), '-1'], (reply) => {
      tail = typeof reply === 'string' ? reply : '';
    });
  }
  if (sizeCommand) {
    connection.sendIn(db, [sizeCommand, key], (reply) => {
      size = typeof reply === 'number' ? reply : 0;
    });
  }
  const queued = companions?.queue;
  if (queued) readQueue(connection, { db, queue: queued }, (found) => (queue = found));
  if (queued && queued.fence !== '') {
    connection.sendIn(db, ['GET', queued.fence], (reply) => {
      fence = typeof reply === 'string' ? reply : null;
    });
  }
  let left = companions?.beside.length ?? 0;
  let finish: (() => void) | null = null;
  const finished = (): void => {
    if (left === 0) finish?.();
  };
  for (const name of companions?.beside ?? []) {
    readPlainly(connection, db, { key: name, companions: null }, (found) => {
      // What may not be read, or changed on the way, is left out: an event has it read again.
      if (found !== null && !(found instanceof RespError)) {
        beside.set(name, { value: found.value, pttl: found.pttl });
      }
      left--;
      finished();
    });
  }
  const told = (answer: KeyContent | RespError | null): void => {
    finish = () => done(answer);
    finished();
  };
  const idleSeconds = null;
  connection.sendIn(db, ['PTTL', key], (pttl) => {
    if (value instanceof RespError) {
      told(value.message.startsWith('WRONGTYPE') ? null : value);
      return;
    }
    if (pttl === -2 && type !== 'none') {
      told({ value: null, pttl: null, queue, fence, beside, idleSeconds });
      return;
    }
    const found = contentOf(type, value);
    const raw = rawValue(type, size, type === 'string' ? { ...found, flat: [tail] } : found);
    const ttl = typeof pttl === 'number' && pttl >= 0 ? pttl : null;
    told({ value: raw, pttl: ttl, queue, fence, beside, idleSeconds });
  });
}

function readQueue(
  connection: EventConnection,
  { db, queue }: { db: number; queue: NonNullable<ReadCompanions['queue']> },
  done: (queue: KeyContent['queue']) => void,
): void {
  let owners: Bytes[] | null = null;
  const { list, timeouts } = queue;
  connection.sendIn(db, ['LRANGE', list, '0', String(LIMITS.queueOwners - 1)], (reply) => {
    owners = Array.isArray(reply) ? flatten(reply) : null;
  });
  connection.sendIn(
    db,
    ['ZRANGE', timeouts, '0', String(LIMITS.queueOwners - 1), 'WITHSCORES'],
    (reply) => {
      if (owners === null) return done(null);
      const deadlines = deadlinesOf(flatten(reply));
      done(owners.map((owner) => ({ owner, deadline: deadlines.get(owner) ?? null })));
    },
  );
}
