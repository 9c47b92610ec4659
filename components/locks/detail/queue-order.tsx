'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useClockText, useSecondsText } from '@/components/labels';
import { Notice } from '@/components/ui/notice';
import type { LockDetail } from '@/lib/protocol/lock';
import { deadHead } from './dead-head';

/** Who keeps whom waiting in a queue: a dead head everybody behind it, a living one only till its turn. */
export function QueueOrder({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.queue');
  const until = useUntil();
  const dead = deadHead(lock);
  const { waiters, waiting } = lock;
  if (waiting.source !== 'fair-queue' || waiters.length === 0) return null;
  if (!dead) return <p className="text-xs text-ink-2">{t(lock.hold ? 'inTurn' : 'headNext')}</p>;
  return (
    <Notice tone="warning" title={t('deadHead', { count: dead.heads, behind: dead.behind })}>
      {dead.until === null
        ? t('untilDropped', { count: dead.heads })
        : t('untilDeadline', { count: dead.heads, ...until(dead.until) })}
    </Notice>
  );
}

function useUntil(): (at: number) => { left: string; time: string } {
  const now = useNow();
  const seconds = useSecondsText();
  const clock = useClockText();
  return (at) => ({ left: seconds(Math.max(0, at - now)), time: clock(at, now || undefined) });
}
