import { fromBase64Url, toBase64Url } from '@/lib/protocol/bytes';

interface LockAddress {
  target: string;
  db: number;
  keyB64: string;
}

/** An empty path segment is no segment, and Redis allows the empty key; `~` is not in base64url. */
const EMPTY_KEY = '~';

/** The address of a lock's page; with `at` (epoch ms) as the lock was at that moment. */
export function lockHref({ target, db, keyB64 }: LockAddress, at?: number): string {
  const path = `/locks/${encodeURIComponent(target)}/${db}/${keyB64 || EMPTY_KEY}`;
  return at === undefined ? path : `${path}?at=${at}`;
}

/** Reverse of {@link lockHref} on the route's parameters, which come as they stand in the URL. Null when they are no lock's address. */
export function parseLockAddress(params: {
  target: string;
  db: string;
  keyB64: string;
}): LockAddress | null {
  const target = decodeSegment(params.target);
  if (target === null || !/^\d{1,9}$/.test(params.db)) return null;
  const keyB64 = decodeSegment(params.keyB64) === EMPTY_KEY ? '' : params.keyB64;
  const bytes = fromBase64Url(keyB64);
  if (bytes === null || toBase64Url(bytes) !== keyB64) return null;
  return { target, db: Number(params.db), keyB64 };
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone `%` is no encoding; the address is refused.
    return null;
  }
}
