import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { Lock, Member } from '@/lib/protocol/lock';

type Several = Pick<Lock, 'hold' | 'members' | 'mode'>;

/** Who is inside a lock that several may hold. */
export interface Insiders {
  /** Those who count, without the writer. */
  live: Member[];
  /** Past their window: they are still written there and count no more. */
  stale: Member[];
  writer: Member | null;
}

/** Those inside by their roles; one holder who is told by the hold alone is one of them as well. */
export function insidersOf({ hold, mode, ...lock }: Several): Insiders {
  const members = lock.members.filter(({ id }) => isNamed(id));
  const writer = members.find(({ role }) => role === 'writer') ?? null;
  const others = members.filter(({ role }) => role !== 'writer');
  const alone = hold && members.length === 0 && isNamed(hold.owner.id) ? memberOf(hold) : null;
  if (alone && mode === 'write') return { live: [], stale: [], writer: alone };
  return {
    live: alone ? [alone] : others.filter(({ stale }) => !stale),
    stale: others.filter(({ stale }) => stale),
    writer,
  };
}

/** False while no read has named the holder, and for holders of whom nothing is written. */
const isNamed = (id: string): boolean => id !== '' && id !== NO_OWNER_ID;

const memberOf = ({ owner, deadline, depth }: NonNullable<Lock['hold']>): Member => ({
  id: owner.id,
  depth,
  refreshedAt: null,
  deadline,
  stale: false,
  owner,
});

/** The numbers of a semaphore; null = not written in Redis, and not to be worked out either. */
export interface PermitNumbers {
  total: number | null;
  taken: number | null;
  free: number | null;
}

/** Where the members are named their number is that of the permits taken, whatever else is written. */
export function permitNumbers({
  permits,
  ...lock
}: Several & Pick<Lock, 'permits'>): PermitNumbers {
  const total = permits?.total ?? null;
  const free = permits?.free ?? null;
  const { live } = insidersOf(lock);
  const counted = total === null || free === null ? null : total - free;
  const isNobodyNamed = live.length === 0 && lock.members.length === 0 && free !== null;
  return { total, taken: isNobodyNamed ? counted : live.length, free };
}

/** When the first of them ends by itself; null when none does. Epoch ms. */
export function firstDeadline(members: readonly Member[]): number | null {
  const deadlines = members.flatMap(({ deadline }) => (deadline === null ? [] : [deadline]));
  return deadlines.length === 0 ? null : Math.min(...deadlines);
}

/** Members whose process dies take their place with them: nothing ever gives it back. */
export const leaking = (live: readonly Member[]): Member[] =>
  live.filter(({ deadline }) => deadline === null);

/** Members whose instance was there and is there no more. */
export const gone = (live: readonly Member[]): Member[] =>
  live.filter(({ owner }) => owner?.liveness === 'not-seen');
