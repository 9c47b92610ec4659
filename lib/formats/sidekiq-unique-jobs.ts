import { toMoment } from '@/lib/protocol/time';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import {
  NOTHING_BESIDE,
  type BesideKeys,
  type Decoded,
  type Holder,
  type LockFormat,
  type RawValue,
} from './format';
import { isDigest, missing, namesAround, PREFIX, readSideKey } from './sidekiq-names';
import { RELEASE_DIGEST, RELEASE_HASH, WAKE_DIGEST } from './sidekiq-scripts';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

/** Seconds since the epoch, with a fraction. */
const SECONDS = /^\d{9,11}(?:\.\d{1,9})?$/;

/** `limit` = how many may hold it; what the application says about its jobs' arguments is not looked at. */
interface Info {
  worker: string | null;
  limit: number | null;
}

const NOTHING_SAID: Info = { worker: null, limit: null };

function readInfo(value: RawValue | null | undefined): Info {
  let info: unknown;
  try {
    info = JSON.parse(wholeString(value ?? null) ?? 'null');
  } catch {
    // Cut or foreign: the holders are shown without it.
    return NOTHING_SAID;
  }
  if (typeof info !== 'object' || info === null) return NOTHING_SAID;
  const worker = 'worker' in info && typeof info.worker === 'string' ? info.worker : null;
  const limit = 'limit' in info && Number.isSafeInteger(info.limit) ? Number(info.limit) : null;
  return { worker, limit };
}

function readHolder(jobId: Bytes, time: Bytes, { worker }: Info): Holder {
  const app = worker === null ? null : printable(worker);
  const tokenTime = SECONDS.test(time)
    ? ({ at: toMoment(Number(time) * 1000), means: 'taken' } as const)
    : null;
  return holderOf(jobId, { thread: printable(jobId), app }, { tokenTime });
}

const isEmpty = (beside: BesideKeys, list: Bytes): boolean =>
  beside.has(list) && (beside.get(list)?.value ?? null) === null;

/** Taken, or on the way there: a job stands in one of the lists until it is in the hash. */
function decode(key: Bytes, value: RawValue, beside: BesideKeys): Decoded {
  const { locked, queued, primed, info: infoKey } = namesAround(key);
  const info = readInfo(beside.get(infoKey)?.value);
  const own = decodeString(value, (jobId) => readHolder(jobId, '', info));
  const holding = beside.get(locked)?.value ?? null;
  if (own.broken !== null || !beside.has(locked)) return own;
  if (holding === null) {
    const isNobodyComing = isEmpty(beside, queued) && isEmpty(beside, primed);
    return isNobodyComing ? { ...own, holders: [], broken: missing(locked) } : own;
  }
  if (holding.type !== 'hash') return { ...own, holders: [], broken: missing(locked) };
  return { ...own, ...holdersIn(holding, info) };
}

type LockedHash = Extract<RawValue, { type: 'hash' }>;

/** The hash of the jobs that hold the lock, and since when. */
function lockedIn(key: Bytes, beside: BesideKeys | undefined): LockedHash | null {
  const value = beside?.get(namesAround(key).locked)?.value ?? null;
  return value?.type === 'hash' ? value : null;
}

function holdersIn(locked: LockedHash | null, info: Info): Pick<Decoded, 'holders' | 'permits'> {
  const holders = (locked?.fields ?? []).map(([jobId, time]) => readHolder(jobId, time, info));
  const { limit } = info;
  if (limit === null || limit <= 1) return { holders };
  const permits = { total: limit, free: Math.max(0, limit - (locked?.size ?? 0)) };
  return { holders: holders.map((each) => ({ ...each, role: 'permit' })), permits };
}

/**
 * sidekiq-unique-jobs 7 to 9 (Ruby): the digest's string is the job that came first, a hash beside it says
 * who holds it since when. 9 keeps the hash alone.
 */
export const sidekiqUniqueJobs: LockFormat = {
  ...STRING_LOCK,
  id: 'sidekiq-unique-jobs',
  name: 'sidekiq-unique-jobs',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: isDigest,
  nameIsProof: true,
  recognise: (key, value, { beside }) => {
    if (!isDigest(key)) return null;
    const isHeldBeside = value === null && lockedIn(key, beside) !== null;
    if (wholeString(value) === null && !isHeldBeside) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (key, value, { beside }) => decode(key, value, beside ?? NOTHING_BESIDE),
  // With a limit above one the digest goes with the first job that ends; version 9 never writes it.
  heldBeside: (key, beside) => ({
    ...holdersIn(lockedIn(key, beside), readInfo(beside.get(namesAround(key).info)?.value)),
    broken: null,
    fence: null,
  }),
  beside: (key) => (isDigest(key) ? Object.values(namesAround(key)) : []),
  sideKeys: { prefixes: [], head: PREFIX, read: readSideKey },
  expiry: 'none-by-default',
  renewal: 'none',
  waiters: 'blocked',
  blockedIn: 'blmove',
  release: RELEASE_DIGEST,
  releaseBeside: RELEASE_HASH,
  wake: WAKE_DIGEST,
  releaseNotes: ['release-deletes', 'all-holders', 'wakes-one', 'job-goes-on', 'queued-twice'],
};
