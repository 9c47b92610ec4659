'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Advice } from '@/lib/protocol/measures';
import { useClockText, useDurationText } from '@/components/labels';
import { useNow } from '@/components/hooks';
import { adviceCode, stockCode } from './advice-code';
import { useWaitersText } from './advice-figures';
import { CopyableCode } from './copyable-code';

/** What the advice rests on, takes for granted and costs, and how it is done. */
export function AdviceDetails({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const stock = stockCode(advice);
  return (
    <div className="grid min-w-0 gap-x-6 gap-y-3 text-sm xl:grid-cols-2">
      <dl className="flex min-w-0 flex-col gap-3">
        <Detail term={t('basis')}>
          <Basis advice={advice} />
        </Detail>
        <Detail term={t('assumes')}>{t(`assumptions.${advice.assumes}`)}</Detail>
        <Detail term={t('costs')}>{t(`costsOf.${advice.kind}`)}</Detail>
      </dl>
      <dl className="min-w-0">
        <Detail term={t('how')}>
          <p>{t(`howTo.${advice.assumes}`)}</p>
          <CopyableCode label={t('code')} copy={t('copy')} text={adviceCode(advice)} />
          {stock !== null && <CopyableCode label={t('stockCode')} copy={t('copy')} text={stock} />}
        </Detail>
      </dl>
    </div>
  );
}

export function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs font-medium text-ink-3">{term}</dt>
      <dd className="mt-0.5 max-w-prose min-w-0 text-ink-2">{children}</dd>
    </div>
  );
}

function Basis({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const clock = useClockText();
  const now = useNow(60_000);
  const waiters = useWaitersText();
  const duration = useDurationText();
  const { from, to, arrivals, together, recorded, holdMs } = advice.basis;
  return (
    <>
      <p>
        {t(`basisOf.${advice.kind}`, {
          arrivals,
          together: together ?? 0,
          from: clock(from, now || undefined),
          to: clock(to, now || undefined),
          recorded: waiters(recorded),
          replayed: waiters(advice.contentionNow),
        })}
      </p>
      {holdMs.p50 !== null && holdMs.p99 !== null && (
        <p>
          {t('holds')}:{' '}
          {t('holdsOf', {
            p50: duration(Math.round(holdMs.p50)),
            p99: duration(Math.round(holdMs.p99)),
          })}
        </p>
      )}
    </>
  );
}
