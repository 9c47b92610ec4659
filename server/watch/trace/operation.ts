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

type Reader = (head: LineHead, args: Arguments) => Omit<Operation, 'name'> | null;

const MOST_KEYS = 64;
const OPTIONS = 12;
const SECOND = 1000;

const onFirst =
  (verb: Verb): Reader =>
  (_head, args) => {
    const key = args.next();
    return key === null ? null : { verb, keys: [key], value: null };
  };

const onAll =
  (verb: Verb): Reader =>
  (_head, args) => ({ verb, keys: args.rest(MOST_KEYS), value: null });

/** Lists to block on, then the time to wait. */
const onLists: Reader = (_head, args) => ({
  verb: 'block',
  keys: args.rest(MOST_KEYS).slice(0, -1),
  value: null,
});

const flush: Reader = () => ({ verb: 'flush', keys: [], value: null });

/** Milliseconds of a number in a command; undefined when it is none. */
function timeOf(text: Bytes | null, unitMs: number): number | undefined {
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number * unitMs : undefined;
}

const sum = (at: number, ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : at + ms;

/** Options of SET: whether it is conditional, and for how long. */
const set: Reader = ({ at }, args) => {
  const [key, value] = [args.next(), args.next()];
  if (key === null || value === null) return null;
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
  return {
    verb,
    keys: [key],
    value: fingerprint(value),
    ...(until !== undefined && { until }),
  };
};

/** SETNX and GETSET: key and value. */
const keyAndValue =
  (verb: Verb): Reader =>
  (_head, args) => {
    const [key, value] = [args.next(), args.next()];
    if (key === null || value === null) return null;
    return { verb, keys: [key], value: fingerprint(value), until: null };
  };

/** SETEX and PSETEX: key, time, value. */
const keyTimeValue =
  (unitMs: number): Reader =>
  ({ at }, args) => {
    const [key, time, value] = [args.next(), args.next(), args.next()];
    if (key === null || value === null) return null;
    const until = sum(at, timeOf(time, unitMs)) ?? null;
    return { verb: 'set', keys: [key], value: fingerprint(value), until };
  };

/** MSETNX: keys and values in turn; locks of several keys have one value. */
const keysAndValues: Reader = (_head, args) => {
  const words = args.rest(MOST_KEYS);
  const keys = words.filter((_, i) => i % 2 === 0);
  const value = words[1];
  if (value === undefined) return null;
  return { verb: 'set-if-absent', keys, value: fingerprint(value), until: null };
};

const extend =
  (unitMs: number, isAbsolute: boolean): Reader =>
  ({ at }, args) => {
    const key = args.next();
    if (key === null) return null;
    const time = timeOf(args.next(), unitMs);
    const until = isAbsolute ? time : sum(at, time);
    return { verb: 'extend', keys: [key], value: null, ...(until !== undefined && { until }) };
  };

const persist: Reader = (_head, args) => {
  const key = args.next();
  return key === null ? null : { verb: 'extend', keys: [key], value: null, until: null };
};

/** HINCRBY counts a holder up or down. */
const countField: Reader = (_head, args) => {
  const [key, , step] = [args.next(), args.next(), args.next()];
  if (key === null || step === null) return null;
  return { verb: step.startsWith('-') ? 'remove' : 'add', keys: [key], value: null };
};

/** OBJECT ENCODING key and its like. */
const afterSubcommand: Reader = (_head, args) => {
  args.next();
  const key = args.next();
  return key === null ? null : { verb: 'look', keys: [key], value: null };
};

const named = (names: string, reader: Reader): [string, Reader][] =>
  names.split(' ').map((name) => [name, reader]);

const READERS = new Map<string, Reader>([
  ...named('set', set),
  ...named('setnx', keyAndValue('set-if-absent')),
  ...named('getset', keyAndValue('set')),
  ...named('setex', keyTimeValue(SECOND)),
  ...named('psetex', keyTimeValue(1)),
  ...named('msetnx', keysAndValues),
  ...named('hset hsetnx hmset zadd sadd decr decrby', onFirst('add')),
  ...named('hincrby', countField),
  ...named('hdel zrem srem incr incrby', onFirst('remove')),
  ...named('del unlink', onAll('delete')),
  ...named('getdel delex rename move', onFirst('delete')),
  ...named('expire', extend(SECOND, false)),
  ...named('pexpire', extend(1, false)),
  ...named('expireat', extend(SECOND, true)),
  ...named('pexpireat', extend(1, true)),
  ...named('persist', persist),
  ...named('exists', onAll('look')),
  ...named('get hget hmget hgetall hexists hkeys hvals hlen ttl pttl type strlen', onFirst('look')),
  ...named('zscore zcard zcount zrank zrange zrangebyscore scard sismember', onFirst('look')),
  ...named('smembers llen lrange lindex lpop rpop lrem rpush lpush', onFirst('look')),
  ...named('object', afterSubcommand),
  ...named('blpop brpop bzpopmin bzpopmax', onLists),
  ...named('blmove brpoplpush', onFirst('block')),
  ...named('subscribe ssubscribe', onAll('listen')),
  ...named('flushdb flushall swapdb', flush),
]);

/** Null for commands that are about no lock; their arguments are not looked at. */
export function readOperation(name: string, head: LineHead, args: Arguments): Operation | null {
  const found = READERS.get(name)?.(head, args);
  return found ? { name, ...found } : null;
}
