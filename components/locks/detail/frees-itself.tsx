'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useClockText, useDurationText, useSecondsText } from '@/components/labels';
import { LeaseBar } from '@/components/locks/lease';
import { Notice } from '@/components/ui/notice';
import type { Hold, LockState } from '@/lib/protocol/lock';
import { AGES_MS } from '@/lib/protocol/time';

/** When the lock frees itself, as a sentence and as a bar. */
export function FreesItself({ hold, state }: { hold: Hold; state: LockState }) {
  const t = useTranslations('lock.holder');
  const sentence = useSentence(hold, state);
  const duration = useDurationText();
  if (hold.deadline === null && hold.owner.id === '') {
    return <p className="text-sm text-ink-2">{t('notSeen')}</p>;
  }
  if (hold.deadline === null) return <Notice tone="warning" title={t('never')} />;
  return (
    <div>
      <p className="text-base font-medium">{sentence}</p>
      {hold.leaseMs !== null && hold.leaseMs > 0 && (
        <div className="mt-1.5 flex items-center gap-2">
          <LeaseBar
            deadline={hold.deadline}
            leaseMs={hold.leaseMs}
            state={state}
            label={t('lease')}
            className="h-1.5! flex-1"
          />
          <span className="text-xs text-ink-3">
            {t('leaseOf', { lease: duration(hold.leaseMs) })}
          </span>
        </div>
      )}
    </div>
  );
}

function useSentence({ deadline, renewals }: Hold, state: LockState): string {
  const t = useTranslations('lock.holder');
  const time = useTranslations('time');
  const now = useNow();
  const seconds = useSecondsText();
  const clock = useClockText();
  if (deadline === null || now === 0) return '';
  const leftMs = deadline - now;
  if (leftMs >= AGES_MS) return t('agesAway');
  const left = seconds(Math.abs(leftMs));
  if (leftMs < 0) return t('overdue', { ago: time('ago', { duration: left }) });
  const values = { left, time: clock(deadline, now) };
  if (state === 'cooling-down') return t('kept', values);
  return renewals > 0 ? t('freesUnlessRenewed', values) : t('frees', values);
}
