'use client';

import { Combine, Split } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Advice } from '@/lib/protocol/measures';
import { EvidenceMark, Figure, KeyText, useDurationText } from '@/components/labels';
import { useTargetId } from '@/components/hooks';
import { Badge } from '@/components/ui/badge';
import { Meter } from '@/components/ui/meter';
import { AdviceDetails } from './advice-details';
import { percentText, useWaitersText } from './advice-figures';
import { AdviceLinks } from './advice-links';
import { SplitOptions } from './split-options';

const ICON = { split: Split, group: Combine };

/** What to change in one sentence, now and then side by side, and beside it all that the sentence rests on. */
export function AdviceCard({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const format = useFormatter();
  const subject = advice.lock?.key ?? advice.classes.join(', ');
  const waiters = useWaitersText();
  const Icon = ICON[advice.kind];
  return (
    <section
      aria-label={t('cardLabel', { kind: t(`kinds.${advice.kind}`), subject })}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone="accent" icon={<Icon size={12} aria-hidden />}>
          {t(`kinds.${advice.kind}`)}
        </Badge>
        <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm font-semibold">
          <Subject advice={advice} />
        </h2>
        <EvidenceMark evidence={advice.evidence} named />
        <Badge tone="ok" className="ml-auto">
          {t('drop', { percent: percentText(format, advice.drop) })}
        </Badge>
      </header>
      <div className="grid min-w-0 gap-x-6 gap-y-4 p-3 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <p className="text-base font-medium">
            {t(`headline.${advice.kind}`, {
              segments: advice.segments ?? 1,
              now: waiters(advice.contentionNow),
              changed: waiters(advice.contentionThen),
            })}
          </p>
          <NowAndThen advice={advice} />
          {advice.options.length > 0 && <SplitOptions advice={advice} />}
          <AdviceLinks advice={advice} />
        </div>
        <AdviceDetails advice={advice} />
      </div>
    </section>
  );
}

function Subject({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const target = useTargetId();
  const { lock, classes } = advice;
  if (lock) {
    return <KeyText text={lock.key} {...(target === null ? {} : { lock: { target, ...lock } })} />;
  }
  const [first = '', ...others] = classes;
  return (
    <>
      <KeyText text={first} />
      {others.map((name) => (
        <span key={name} className="flex min-w-0 items-baseline gap-2">
          <span className="text-xs font-normal whitespace-nowrap text-ink-3">{t('groupOf')}</span>
          <KeyText text={name} />
        </span>
      ))}
    </>
  );
}

/** Two bars of one scale: the recorded past, and the same with the change. */
function NowAndThen({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const waiters = useWaitersText();
  const duration = useDurationText();
  const most = Math.max(advice.contentionNow, advice.contentionThen);
  const rows = [
    { name: 'asIs', value: advice.contentionNow, tone: 'warning', wait: advice.basis.waitMs.p99 },
    { name: 'changed', value: advice.contentionThen, tone: 'ok', wait: advice.waitMsThen.p99 },
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1.5 text-sm">
      <dt className="col-span-3 text-xs text-ink-3">{t('figures')}</dt>
      <dd className="text-right text-xs text-ink-3">{t('waitP99')}</dd>
      {rows.map(({ name, value, tone, wait }) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{t(name)}</dt>
          <dd>
            <Meter share={most > 0 ? value / most : 0} tone={tone} className="h-2" />
          </dd>
          <dd className="text-right font-semibold">
            <Figure evidence={name === 'asIs' ? advice.evidence : 'inferred'}>
              {waiters(value)}
            </Figure>
          </dd>
          <dd className="text-right">
            {wait !== null && (
              <Figure evidence={name === 'asIs' ? advice.evidence : 'inferred'}>
                {duration(Math.round(wait))}
              </Figure>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
