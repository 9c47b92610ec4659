import type { Alert } from '@/lib/protocol/alert';
import { fromBase64Url } from '@/lib/protocol/bytes';
import { lockId } from '@/server/state/lock-record';

/** The codes of what has fired about each lock, by its id. */
export function codesByLock(alerts: readonly Alert[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const { code, state, subject } of alerts) {
    if (state === 'pending') continue;
    for (const { db, keyB64 } of subject.locks) {
      const key = fromBase64Url(keyB64);
      if (key === null) continue;
      const id = lockId(db, key);
      const known = codes.get(id);
      if (known) known.add(code);
      else codes.set(id, new Set([code]));
    }
  }
  return codes;
}
