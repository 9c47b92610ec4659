import type { Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { ServerContext } from './query-context';

/** What the last trace saw of attempts on this lock, as a member of its detail. */
export function sampledOf(
  { traces }: Pick<ServerContext, 'traces'>,
  db: number,
  key: Bytes,
): Pick<LockDetail, 'sampled'> {
  const sampled = traces.sampled(db, key);
  return sampled ? { sampled } : {};
}
