import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import type { Blame, BlameLeaf } from '@/lib/protocol/measures';
import { CLASSES, createRandom } from './heat';

const MINUTE_MS = 60_000;
/** The first holder costs this much. */
const MOST_MS = 41_000;

function leafOf(index: number, random: () => number): BlameLeaf {
  // Few locks of few classes cause most of the waiting.
  const [namespace, lockClass] = CLASSES[[2, 2, 0, 3, 2, 5, 6, 0, 7][index % 9] ?? 0] ?? ['', 'x'];
  const isSmall = index === 12;
  const cause = lockClass.includes('*') ? causeOf(index) : 'holder';
  // Without a holder there is one line for a lock.
  const key = lockClass.replace('*', String(4711 + (cause === 'holder' ? index % 4 : index)));
  return {
    namespace,
    class: lockClass,
    lock: isSmall ? null : { db: 0, key, keyB64: toBase64Url(bytesFromText(key)) },
    cause: isSmall ? 'others' : cause,
    owner: isSmall || cause !== 'holder' ? null : ownerOf(index),
    ...(isSmall || cause !== 'holder' || index % 3 > 0 ? {} : { place: placeOf(index) }),
    waitMs: (MOST_MS / (1 + index * 0.6)) * (0.8 + random() * 0.2),
  };
}

function causeOf(index: number): BlameLeaf['cause'] {
  if (index % 11 === 4) return 'nobody';
  return index % 11 === 7 ? 'unnamed' : 'holder';
}

const ownerOf = (index: number): string => `f3a90d22-7b1e-4e0f-8f44-1c6b5a9d${1000 + index}`;

/** Every third says where it runs. */
const placeOf = (index: number): BlameLeaf['place'] => ({
  app: `order-${7 + index}`,
  host: `worker-${index}`,
  ip: `10.1.2.${3 + (index % 250)}`,
  pid: 4000 + index,
});

/** Five minutes of waiting with `count` causes. */
export function sampleBlame(now: number, count = 24): Blame {
  const random = createRandom(5);
  const leaves = Array.from({ length: count }, (_, index) => leafOf(index, random)).toSorted(
    (a, b) => b.waitMs - a.waitMs,
  );
  const leftOut = count > 100 ? { count: 412, waitMs: 9000 } : { count: 0, waitMs: 0 };
  return {
    from: now - 5 * MINUTE_MS,
    to: now,
    totalMs: leaves.reduce((sum, { waitMs }) => sum + waitMs, leftOut.waitMs),
    leaves,
    leftOut,
    evidence: 'inferred',
    notObservable: ['log_analysis:LOG-*', 'checkout:*'],
    gaps: [{ from: now - 2 * MINUTE_MS, to: now - 1.5 * MINUTE_MS, reason: 'connection-lost' }],
  };
}

/** Nobody was seen waiting. `isBlind`: and not everything can be seen. */
export const noBlame = (now: number, isBlind: boolean): Blame => ({
  ...sampleBlame(now, 0),
  evidence: 'observed',
  notObservable: isBlind ? ['log_analysis:LOG-*'] : [],
  gaps: [],
});
