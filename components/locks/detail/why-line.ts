'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useDurationText, useSecondsText } from '@/components/labels';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { LockDetail } from '@/lib/protocol/lock';
import { insidersOf } from '@/components/locks/insiders';

type Words = ReturnType<typeof useTranslations<'lock.why'>>;

/** Why the lock counts as held, free, finished, broken or orphaned, and what speaks against its holder. */
export function useWhy(lock: LockDetail): string {
  const t = useTranslations('lock.why');
  const doubt = useDoubt(lock);
  return [whyState(lock, t), doubt].filter(Boolean).join(' ');
}

function whyState(lock: LockDetail, t: Words): string {
  switch (lock.state) {
    case 'held':
      return whyHeld(lock, t);
    case 'cooling-down':
      return t('finished');
    case 'broken':
      return lock.broken === undefined ? t('broken') : t('brokenBy', { why: lock.broken });
    case 'orphan-queue':
      return t('orphaned', { count: lock.waiting.owners.length });
    case 'free':
      return whyFree(lock, t);
  }
}

function whyHeld(lock: LockDetail, t: Words): string {
  const { hold, kind, mode } = lock;
  if (!hold || hold.owner.id === '') return t('heldUnread');
  if (kind === 'latch') return t('latch');
  if (hold.owner.id === NO_OWNER_ID) return t(lock.permits ? 'noneLeft' : 'heldNameless');
  if (mode === 'write') return t('writer');
  const { live } = insidersOf(lock);
  if (kind === 'read-write') return t('readers', { count: live.length });
  return kind === 'semaphore' ? t('places', { count: live.length }) : t('held');
}

function whyFree({ raw, permits, waiting, kind }: LockDetail, t: Words): string {
  if ((waiting.count ?? 0) > 0) return t('freeWaited', { count: waiting.count ?? 0 });
  if (permits && kind === 'semaphore') return t('permitsLeft');
  if (raw === null) return t('freeSeen');
  return t(raw.type === 'none' ? 'free' : 'freeNobody');
}

/** A renewal may be late by half of its own interval before it counts as missed. */
const LATE_SHARE = 1.5;

/** What says that nobody may be behind a hold any more; null when nothing does. */
function useDoubt({ hold, state, members }: LockDetail): string | null {
  const t = useTranslations('lock.why');
  const now = useNow();
  const seconds = useSecondsText();
  const duration = useDurationText();
  if (!hold || state !== 'held' || members.length > 1) return null;
  if (hold.owner.liveness === 'not-seen') return t('notSeen');
  const { lastRenewalAt, renewalIntervalMs } = hold;
  if (lastRenewalAt === null || renewalIntervalMs === null || now === 0) return null;
  const sinceMs = now - lastRenewalAt;
  if (sinceMs <= renewalIntervalMs * LATE_SHARE) return null;
  return t('renewalMissed', { interval: duration(renewalIntervalMs), since: seconds(sinceMs) });
}
