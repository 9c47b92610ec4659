import { CodedError } from '@/lib/protocol/errors';
import type { Bytes } from '@/lib/protocol/bytes';
import type {
  Candidate,
  FormatTable,
  LockFormat,
  RecogniseContext,
  RawValue,
  SideKey,
  SideKeys,
} from './format';
import { aioredlock } from './aioredlock';
import { arq } from './arq';
import { asynq } from './asynq';
import { bsmRedislock } from './bsm-redislock';
import { bull } from './bull';
import { bullmq } from './bullmq';
import { celeryOnce } from './celery-once';
import { celerySingleton } from './celery-singleton';
import { chatAdapter } from './chat-adapter';
import { elixirRedlock } from './elixir-redlock';
import { goZero } from './go-zero';
import { hangfire } from './hangfire';
import { huey } from './huey';
import { ioredisLock } from './ioredis-lock';
import { laravel } from './laravel';
import { laravelFunnel } from './laravel-funnel';
import { locco } from './locco';
import { lock4j } from './lock4j';
import { medallion } from './medallion';
import { medallionReaders } from './medallion-readers';
import { medallionSemaphore } from './medallion-semaphore';
import { medallionWriter } from './medallion-writer';
import { medusa } from './medusa';
import { nodeRedisson } from './node-redisson';
import { pattern } from './pattern';
import { pottery } from './pottery';
import { pythonRedisLock } from './python-redis-lock';
import { qoder } from './qoder';
import { qoderReadWrite } from './qoder-read-write';
import { qoderSemaphore } from './qoder-semaphore';
import { redbeat } from './redbeat';
import { redisPy } from './redis-py';
import { redisSemaphore } from './redis-semaphore';
import { redisSemaphoreMutex } from './redis-semaphore-mutex';
import { redisson } from './redisson';
import { redissonFair } from './redisson-fair';
import { redissonLatch } from './redisson-latch';
import { redissonMultiLock } from './redisson-multi-lock';
import { redissonPermits } from './redisson-permits';
import { redissonReadWrite } from './redisson-read-write';
import { redissonSemaphore } from './redisson-semaphore';
import { redlock } from './redlock';
import { redlockNet } from './redlock-net';
import { redlockRb } from './redlock-rb';
import { redlockUniversal } from './redlock-universal';
import { redsync } from './redsync';
import { resqueLock } from './resque-lock';
import { rqScheduler } from './rq-scheduler';
import { rslock } from './rslock';
import { sesamecareRedlock } from './sesamecare-redlock';
import { shedlock } from './shedlock';
import { sidekiqUniqueJobs } from './sidekiq-unique-jobs';
import { springRegistry } from './spring-registry';
import { stackexchange } from './stackexchange';
import { suo } from './suo';
import { symfony } from './symfony';
import { verrou } from './verrou';
import { warlock } from './warlock';

/**
 * Every lock library that is understood, the more particular before the more general: ties go to the
 * first. `pattern` stands apart: it takes what no other wants.
 */
const FORMATS: readonly LockFormat[] = [
  qoderReadWrite,
  qoderSemaphore,
  qoder,
  redissonReadWrite,
  redissonFair,
  redisson,
  redissonMultiLock,
  redissonPermits,
  redissonSemaphore,
  redissonLatch,
  nodeRedisson,
  redisSemaphore,
  redisSemaphoreMutex,
  bullmq,
  bull,
  medusa,
  chatAdapter,
  symfony,
  warlock,
  laravel,
  shedlock,
  medallionReaders,
  medallionWriter,
  medallionSemaphore,
  medallion,
  hangfire,
  sidekiqUniqueJobs,
  resqueLock,
  suo,
  asynq,
  celeryOnce,
  celerySingleton,
  redbeat,
  rqScheduler,
  arq,
  huey,
  pythonRedisLock,
  redlockNet,
  pottery,
  redisPy,
  redlock,
  sesamecareRedlock,
  redlockUniversal,
  locco,
  elixirRedlock,
  rslock,
  laravelFunnel,
  lock4j,
  springRegistry,
  ioredisLock,
  verrou,
  redsync,
  bsmRedislock,
  goZero,
  aioredlock,
  redlockRb,
  stackexchange,
];

const ALL: readonly LockFormat[] = [...FORMATS, pattern];
const NONE: never[] = [];

// Formats of one layout share their side keys.
const SIDE_KEYS = [...new Set(ALL.flatMap(({ sideKeys }) => sideKeys ?? []))];

/** Those that may know a key with this first byte. */
const sideKeysFrom = (first: number): SideKeys[] =>
  SIDE_KEYS.filter(({ head }) => head === undefined || head.charCodeAt(0) === first);

const SIDE_KEYS_ANYWHERE = SIDE_KEYS.filter(({ head }) => head === undefined);
const SIDE_KEYS_BY_FIRST: ReadonlyMap<number, SideKeys[]> = new Map(
  SIDE_KEYS.flatMap(({ head }) => (head === undefined ? [] : [head.charCodeAt(0)])).map((first) => [
    first,
    sideKeysFrom(first),
  ]),
);

function sideKey(key: Bytes): SideKey | null {
  for (const { read } of SIDE_KEYS_BY_FIRST.get(key.charCodeAt(0)) ?? SIDE_KEYS_ANYWHERE) {
    const found = read(key);
    if (found) return found;
  }
  return null;
}

/** By the first byte of their prefixes: every event on an unknown key asks. */
const PROVING = new Map<number, { prefix: Bytes; format: LockFormat }[]>();
for (const format of ALL.filter(({ nameIsProof }) => nameIsProof)) {
  for (const prefix of format.prefixes) {
    const first = prefix.charCodeAt(0);
    PROVING.set(first, [...(PROVING.get(first) ?? []), { prefix, format }]);
  }
}

function provenByName(key: Bytes): LockFormat | null {
  for (const { prefix, format } of PROVING.get(key.charCodeAt(0)) ?? NONE) {
    if (key.startsWith(prefix) && format.matchesKey(key)) return format;
  }
  return null;
}

/** More would make one read dear. */
const MAX_BESIDE = 64;

const WITH_BESIDE = ALL.filter((format) => format.beside);

function besideOf(formats: readonly LockFormat[], key: Bytes, value: RawValue | null): Bytes[] {
  let found: Bytes[] | null = null;
  for (const format of formats) {
    const keys = format.beside?.(key, value) ?? NONE;
    if (keys.length > 0) found = found ? [...found, ...keys] : keys;
  }
  return found ? [...new Set(found)].slice(0, MAX_BESIDE) : [];
}

const isNamedLock = (key: Bytes): boolean =>
  pattern.prefixes.some((prefix) => key.startsWith(prefix));

const TYPES = ['string', 'hash', 'zset', 'set'] as const;

/** The formats that a value of each type may be of. */
const OF_TYPE = new Map<RawValue['type'], LockFormat[]>();
for (const format of FORMATS) {
  for (const type of TYPES.filter((each) => each === format.type || format.byType?.[each])) {
    OF_TYPE.set(type, [...(OF_TYPE.get(type) ?? []), format]);
  }
}

function candidates(key: Bytes, value: RawValue | null, context: RecogniseContext): Candidate[] {
  // A name that is a lock's by default says as much about its value as an operator's pattern does.
  const named = { ...context, declared: context.declared || isNamedLock(key) };
  const found: Candidate[] = [];
  for (const format of value ? (OF_TYPE.get(value.type) ?? NONE) : FORMATS) {
    const recognition = format.recognise(key, value, named);
    // A library's own kinds of lock may all be sure of it: the most special stands first, and leaves no doubt.
    if (recognition?.certainty === 'certain') return [{ format, recognition }];
    if (recognition) found.push({ format, recognition });
  }
  return withRenewal(found, context.renewedBy);
}

/** Of formats that look the same, those that renew as it was seen; all where none does. */
function withRenewal(found: Candidate[], renewedBy: RecogniseContext['renewedBy']): Candidate[] {
  if (!renewedBy) return found;
  const fitting = found.filter(({ format }) => format.renewal === renewedBy);
  return fitting.length > 0 ? fitting : found;
}

function recogniseByValue(key: Bytes, value: RawValue | null, context: RecogniseContext) {
  if (sideKey(key)) return null;
  const [best, ...others] = candidates(key, value, context);
  if (best) return { ...best, others: others.length > 0 ? others : NONE };
  const recognition = pattern.recognise(key, value, context);
  return recognition && { format: pattern, recognition, others: NONE };
}

function byId(id: string): LockFormat {
  const format = ALL.find((each) => each.id === id);
  if (format) return format;
  throw new CodedError('INTERNAL', `There is no lock format with the id "${id}".`, { id });
}

/** What an operator said of a key goes before what its name and value say, unless it is of another type. */
const fitsPin = (format: LockFormat, value: RawValue | null): boolean =>
  value === null || value.type === format.type || format.byType?.[value.type] !== undefined;

/**
 * The table of all formats. `pinOf` gives the id of the format that an operator has pinned a key to, null where
 * none; it is asked anew each time, so that a pin counts at once.
 */
export function createFormatTable(pinOf: (key: Bytes) => string | null = () => null): FormatTable {
  const pinned = (key: Bytes): LockFormat | null => {
    const id = pinOf(key);
    return id === null ? null : (ALL.find((format) => format.id === id) ?? null);
  };
  return {
    formats: ALL,
    byId,
    watchedPrefixes: [...new Set([...ALL, ...SIDE_KEYS].flatMap(({ prefixes }) => prefixes))],
    sideKey: (key) => (pinned(key) ? null : sideKey(key)),
    // Every event on an unknown key comes through here, so that what is cheap is tried first.
    byName: (key, declared) =>
      pinned(key) ?? provenByName(key) ?? (declared && !sideKey(key) ? pattern : null),
    pinned,
    beside: (key, value) => {
      const own = pinned(key);
      return besideOf(own ? [own] : WITH_BESIDE, key, value);
    },
    recognise: (key, value, context) => {
      const own = pinned(key);
      if (!own || !fitsPin(own, value)) return recogniseByValue(key, value, context);
      const recognition = { certainty: 'certain', because: { id: 'pinned' } } as const;
      return { format: own, recognition, others: NONE };
    },
  };
}

/** The table where nothing is pinned. */
export const formatTable: FormatTable = createFormatTable();
