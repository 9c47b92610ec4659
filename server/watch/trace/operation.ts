import type { Bytes } from '@/lib/protocol/bytes';
import { fingerprint } from './fingerprint';
import type { Arguments, LineHead } from './monitor-line';

/** What a command does to a lock's key. */
export type Verb =
  /** Writes the whole value: in any case, only where there is none, only where there is one. */
  | 'set'
  | 'set-if-absent'
  | 'set-if-present'
  /** Adds a holder to a hash, a set or a sorted set; or takes one away. */
  | 'add'
  | 'remove'
  | 'delete'
  | 'extend'
  | 'look'
  /** Blocks on a list, or listens on a channel: `keys` are the lists or the channels. */
  | 'block'
  | 'listen'
  | 'flush';

/**
 * What is known of one command outside of where it is parsed: which keys it names, and of its arguments no
 * more than a fingerprint and a time.
 */
export interface Operation {
  name: string;
  verb: Verb;
  keys: Bytes[];
  /** Of the value written; null where none is. */
  value: number | null;
  /** When the key would lapse, by Redis's clock; null = never, undefined = as before or not known. */
  until?: number | null;
}

type Read = Omit<Operation, 'name'>;

/** Of a command whose first argument is the key, which is read already. */
type KeyReader = (key: Bytes, head: LineHead, args: Arguments) => Read | null;
/** Of a command with any number of keys, or none. */
type ListReader = (args: Arguments) => Read | null;

type Reader = { ofKey: KeyReader } | { ofList: ListReader };

const MOST_KEYS = 64;
const OPTIONS = 12;
const SECOND = 1000;

const plain = (verb: Verb): Reader => ({ ofKey: (key) => ({ verb, keys: [key], value: null }) });

const onAll = (verb: Verb): Reader => ({
  ofList: (args) => ({ verb, keys: args.rest(MOST_KEYS), value: null }),
});

/** Lists to block on, then the time to wait. */
const onLists: Reader = {
  ofList: (args) => ({ verb: 'block', keys: args.rest(MOST_KEYS).slice(0, -1), value: null }),
};

const flush: Reader = { ofList: () => ({ verb: 'flush', keys: [], value: null }) };

/** Milliseconds of a number in a command; undefined when it is none. */
function timeOf(text: Bytes | null, unitMs: number): number | undefined {
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number * unitMs : undefined;
}

const sum = (at: number, ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : at + ms;

/** Options of SET: whether it is conditional, and for how long. */
const set: KeyReader = (key, { at }, args) => {
  const value = args.next();
  if (value === null) return null;
  const options = args.rest(OPTIONS).map((option) => option.toLowerCase());
  const after = (name: string): Bytes | null => {
    const place = options.indexOf(name);
    return place < 0 ? null : (options[place + 1] ?? null);
  };
  const lapses =
    sum(at, timeOf(after('px'), 1)) ??
    sum(at, timeOf(after('ex'), SECOND)) ??
    timeOf(after('pxat'), 1) ??
    timeOf(after('exat'), SECOND);
  const until = options.includes('keepttl') ? undefined : (lapses ?? null);
  const isConditional = options.some((option) => option === 'xx' || option.startsWith('if'));
  const verb = options.includes('nx') ? 'set-if-absent' : isConditional ? 'set-if-present' : 'set';
  return { verb, keys: [key], value: fingerprint(value), ...(until !== undefined && { until }) };
};

/** SETNX and GETSET: key and value. */
const keyAndValue = (verb: Verb): Reader => ({
  ofKey: (key, _head, args) => {
    const value = args.next();
    return value === null ? null : { verb, keys: [key], value: fingerprint(value), until: null };
  },
});

/** SETEX and PSETEX: key, time, value. */
const keyTimeValue = (unitMs: number): Reader => ({
  ofKey: (key, { at }, args) => {
    const [time, value] = [args.next(), args.next()];
    if (value === null) return null;
    const until = sum(at, timeOf(time, unitMs)) ?? null;
    return { verb: 'set', keys: [key], value: fingerprint(value), until };
  },
});

/** MSETNX: keys and values in turn; locks of several keys have one value. */
const keysAndValues: ListReader = (args) => {
  const words = args.rest(MOST_KEYS);
  const keys = words.filter((_, i) => i % 2 === 0);
  const value = words[1];
  if (value === undefined) return null;
  return { verb: 'set-if-absent', keys, value: fingerprint(value), until: null };
};

const extend = (unitMs: number, isAbsolute: boolean): Reader => ({
  ofKey: (key, { at }, args) => {
    const time = timeOf(args.next(), unitMs);
    const until = isAbsolute ? time : sum(at, time);
    return { verb: 'extend', keys: [key], value: null, ...(until !== undefined && { until }) };
  },
});

const persist: KeyReader = (key) => ({ verb: 'extend', keys: [key], value: null, until: null });

/** HINCRBY counts a holder up or down. */
const countField: KeyReader = (key, _head, args) => {
  const [, step] = [args.next(), args.next()];
  if (step === null || step === undefined) return null;
  return { verb: step.startsWith('-') ? 'remove' : 'add', keys: [key], value: null };
};

/** OBJECT ENCODING key and its like. */
const afterSubcommand: ListReader = (args) => {
  args.next();
  const key = args.next();
  return key === null ? null : { verb: 'look', keys: [key], value: null };
};

const named = (names: string, reader: Reader): [string, Reader][] =>
  names.split(' ').map((name) => [name, reader]);

const READERS = new Map<string, Reader>([
  ...named('set', { ofKey: set }),
  ...named('setnx', keyAndValue('set-if-absent')),
  ...named('getset', keyAndValue('set')),
  ...named('setex', keyTimeValue(SECOND)),
  ...named('psetex', keyTimeValue(1)),
  ...named('msetnx', { ofList: keysAndValues }),
  ...named('hset hsetnx hmset zadd sadd decr decrby', plain('add')),
  ...named('hincrby', { ofKey: countField }),
  ...named('hdel zrem srem incr incrby', plain('remove')),
  ...named('del unlink', onAll('delete')),
  ...named('getdel delex rename move', plain('delete')),
  ...named('expire', extend(SECOND, false)),
  ...named('pexpire', extend(1, false)),
  ...named('expireat', extend(SECOND, true)),
  ...named('pexpireat', extend(1, true)),
  ...named('persist', { ofKey: persist }),
  ...named('exists', onAll('look')),
  ...named('get hget hmget hgetall hexists hkeys hvals hlen ttl pttl type strlen', plain('look')),
  ...named('zscore zcard zcount zrank zrange zrangebyscore scard sismember', plain('look')),
  ...named('smembers llen lrange lindex lpop rpop lrem rpush lpush', plain('look')),
  ...named('object', { ofList: afterSubcommand }),
  ...named('blpop brpop bzpopmin bzpopmax', onLists),
  ...named('blmove brpoplpush', plain('block')),
  ...named('subscribe ssubscribe', onAll('listen')),
  ...named('flushdb flushall swapdb', flush),
]);

/**
 * Null for commands that are about no lock; of those on a key that `isWanted` does not want, nothing but the
 * key is read: they are by far the most.
 */
export function readOperation(
  name: string,
  head: LineHead,
  { args, isWanted }: { args: Arguments; isWanted: (key: Bytes) => boolean },
): Operation | null {
  const reader = READERS.get(name);
  if (!reader) return null;
  if ('ofList' in reader) return withName(name, reader.ofList(args));
  const key = args.next();
  if (key === null || !isWanted(key)) return null;
  return withName(name, reader.ofKey(key, head, args));
}

const withName = (name: string, read: Read | null): Operation | null => read && { name, ...read };
