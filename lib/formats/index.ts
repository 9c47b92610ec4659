import { CodedError } from '@/lib/protocol/errors';
import type { Bytes } from '@/lib/protocol/bytes';
import { bullmq } from './bullmq';
import type {
  FormatTable,
  LockFormat,
  Recognition,
  RecogniseContext,
  RawValue,
  SideKey,
} from './format';
import { nodeRedisson } from './node-redisson';
import { pattern } from './pattern';
import { qoder } from './qoder';
import { qoderReadWrite } from './qoder-read-write';
import { qoderSemaphore } from './qoder-semaphore';
import { redisPy } from './redis-py';
import { redisSemaphore } from './redis-semaphore';
import { redisSemaphoreMutex } from './redis-semaphore-mutex';
import { redisson } from './redisson';
import { redissonFair } from './redisson-fair';
import { redlock } from './redlock';
import { shedlock } from './shedlock';

/**
 * Every lock library that is understood, the more particular before the more general: ties go to the
 * first. `pattern` stands apart: it takes what no other wants.
 */
const FORMATS: readonly LockFormat[] = [
  qoderReadWrite,
  qoderSemaphore,
  qoder,
  redissonFair,
  redisson,
  nodeRedisson,
  redisSemaphore,
  redisSemaphoreMutex,
  bullmq,
  shedlock,
  redisPy,
  redlock,
];

const ALL: readonly LockFormat[] = [...FORMATS, pattern];

// Formats of one layout share their side keys.
const SIDE_KEYS = [...new Set(ALL.flatMap(({ sideKeys }) => sideKeys ?? []))];

function sideKey(key: Bytes): SideKey | null {
  for (const { read } of SIDE_KEYS) {
    const found = read(key);
    if (found) return found;
  }
  return null;
}

const PROVING: readonly { prefix: Bytes; format: LockFormat }[] = ALL.filter(
  (format) => format.nameIsProof,
).flatMap((format) => format.prefixes.map((prefix) => ({ prefix, format })));

// Every event on an unknown key comes through here, so that the prefixes are tried before anything else.
function byName(key: Bytes, declared: boolean): LockFormat | null {
  for (const { prefix, format } of PROVING) {
    if (key.startsWith(prefix) && format.matchesKey(key)) return format;
  }
  return declared && !sideKey(key) ? pattern : null;
}

const isNamedLock = (key: Bytes): boolean =>
  pattern.prefixes.some((prefix) => key.startsWith(prefix));

interface Candidate {
  format: LockFormat;
  recognition: Recognition;
}

function recognise(key: Bytes, value: RawValue | null, context: RecogniseContext) {
  if (sideKey(key)) return null;
  // A name that is a lock's by default says as much about its value as an operator's pattern does.
  const named = { ...context, declared: context.declared || isNamedLock(key) };
  const found: Candidate[] = [];
  for (const format of FORMATS) {
    const recognition = format.recognise(key, value, named);
    if (recognition) found.push({ format, recognition });
  }
  const best = found.find((each) => each.recognition.certainty === 'certain') ?? found[0];
  if (best) {
    const others = found.filter((each) => each !== best).map((each) => each.format.id);
    return { ...best, others };
  }
  const recognition = pattern.recognise(key, value, context);
  return recognition && { format: pattern, recognition, others: [] };
}

function byId(id: string): LockFormat {
  const format = ALL.find((each) => each.id === id);
  if (format) return format;
  throw new CodedError('INTERNAL', `There is no lock format with the id "${id}".`, { id });
}

export const formatTable: FormatTable = {
  formats: ALL,
  byId,
  watchedPrefixes: [...new Set([...ALL, ...SIDE_KEYS].flatMap(({ prefixes }) => prefixes))],
  sideKey,
  byName,
  recognise,
};
