'use client';

import dynamic from 'next/dynamic';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { useSaid } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { LockDetail } from '@/lib/protocol/lock';
import { deadHead } from './dead-head';
import { repairOf } from './repair';

// Seldom needed, and large: loaded when it is first opened.
const WakeDialog = dynamic(
  () => import('@/components/locks/release/wake-dialog').then((module) => module.WakeDialog),
  { ssr: false },
);

/** A lock that is free while somebody waits for it: nobody woke them, and an operator can. */
export function Wake({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.wake');
  const session = useSession();
  const say = useSaid();
  const [isOpen, setIsOpen] = useState(false);
  const repair = repairOf(lock, 'wake');
  const isStuck = lock.hold === null && sleeps(lock);
  const mayAct = session !== null && session.role !== 'viewer';
  const isNobodyThere = lock.waiting.count === 0 && !isStuck;
  if (lock.hold || isNobodyThere || (!repair && !isStuck)) return null;
  const button = repair && mayAct && (
    <Button
      icon={<BellRing size={13} aria-hidden />}
      disabled={repair.because !== null}
      onClick={() => setIsOpen(true)}
    >
      {t('button')}
    </Button>
  );
  const because = repair?.because ? say(repair.because, '') : null;
  const isBehindDead = deadHead(lock) !== null;
  return (
    <>
      {isStuck && !isBehindDead ? (
        <Notice tone="warning" title={t('stuckTitle')} actions={button}>
          {because ?? t(repair ? 'stuck' : 'stuckForGood')}
        </Notice>
      ) : (
        <div className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
          {button}
          {because ?? t(isBehindDead ? 'pastTheDead' : 'unseen')}
        </div>
      )}
      {isOpen && <WakeDialog lock={lock} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Who polls is not stuck: it takes the lock at its next attempt. */
const SLEEPING: readonly LockDetail['waiting']['source'][] = ['fair-queue', 'pubsub'];

const sleeps = ({ waiting, waiters }: LockDetail): boolean =>
  SLEEPING.includes(waiting.source) && (waiting.count ?? waiters.length) > 0;
