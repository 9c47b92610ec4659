'use client';

import { clsx } from 'clsx';
import { Hourglass, Timer, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { TimeoutAdvice } from '@/lib/protocol/advice';
import { subjectHref } from '@/components/charts/subject';
import { EvidenceMark, KeyText, useClockText, useDurationText } from '@/components/labels';
import { useNow } from '@/components/hooks';
import { Badge, type Tone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Meter, type MeterTone } from '@/components/ui/meter';
import { PageLink } from '@/components/ui/page-link';
import { Detail } from './advice-details';
import { CopyableCode } from './copyable-code';
import { leaseCode, publishCommand } from './timeout-code';

type Verdict = TimeoutAdvice['verdict'];

export const VERDICT_TONE: Record<Verdict, Tone> = {
  'too-short': 'critical',
  'too-long': 'warning',
  fits: 'ok',
  unknown: 'neutral',
};

const ICON = { 'too-short': TriangleAlert, 'too-long': Hourglass, fits: Timer, unknown: Timer };

interface Props {
  advice: TimeoutAdvice;
  /** Left out = this reader may not. */
  onPublish?: (() => void) | undefined;
}

/** What to lease one class for, why, and what is lost with the lease it has. */
export function TimeoutCard({ advice, onPublish }: Props) {
  const t = useTranslations('advice.timeouts');
  const { verdict, namespace, class: lockClass, publish } = advice;
  const Icon = ICON[verdict];
  const subject = { namespace, class: lockClass };
  return (
    <section
      aria-label={t('cardLabel', { verdict: t(`verdicts.${verdict}`), subject: lockClass })}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-3 py-2">
        <Badge tone={VERDICT_TONE[verdict]} icon={<Icon size={12} aria-hidden />}>
          {t(`verdicts.${verdict}`)}
        </Badge>
        <h2 className="flex min-w-0 text-sm font-semibold">
          <KeyText text={lockClass} />
        </h2>
        <EvidenceMark evidence={advice.evidence} named />
        {onPublish && publish && (
          <Button className="ml-auto" onClick={onPublish}>
            {t('publish')}
          </Button>
        )}
      </header>
      <div className="grid min-w-0 gap-x-6 gap-y-4 p-3 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <Headline advice={advice} />
          <Lengths advice={advice} />
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <li>
              <PageLink
                href={subjectHref('/waits', subject)}
                className="text-accent-ink hover:underline"
              >
                {t('waits')}
              </PageLink>
            </li>
            <li>
              <PageLink
                href={`/locks?${new URLSearchParams({ class: lockClass })}`}
                className="text-accent-ink hover:underline"
              >
                {t('locks')}
              </PageLink>
            </li>
          </ul>
        </div>
        <Details advice={advice} />
      </div>
    </section>
  );
}

function Headline({ advice }: { advice: TimeoutAdvice }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const { verdict, recommendedMs, leaseMs } = advice;
  const why = t(`why.${verdict}`);
  return (
    <div>
      <p className="text-base font-medium">
        {t(`headline.${verdict}`, {
          recommended: duration(recommendedMs),
          lease: duration(leaseMs?.usual ?? recommendedMs),
        })}
      </p>
      {why !== '' && <p className="mt-1 text-sm text-ink-2">{why}</p>}
    </div>
  );
}

/** Hold, recommended lease and present lease on one scale. */
function Lengths({ advice }: { advice: TimeoutAdvice }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const { leaseMs, recommendedMs, holdMs, verdict } = advice;
  const rows: { name: string; ms: number; tone: MeterTone }[] = [
    { name: t('p99'), ms: holdMs.p99, tone: 'muted' },
    { name: t('recommended'), ms: recommendedMs, tone: 'ok' },
  ];
  const tone = verdict === 'fits' ? 'ok' : 'warning';
  if (leaseMs) rows.push({ name: t('lease'), ms: leaseMs.usual, tone });
  const most = Math.max(...rows.map(({ ms }) => ms));
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 text-sm">
      {rows.map(({ name, ms, tone }) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd>
            <Meter share={most > 0 ? ms / most : 0} tone={tone} className="h-2" />
          </dd>
          <dd className="text-right font-semibold whitespace-nowrap">{duration(Math.round(ms))}</dd>
        </div>
      ))}
    </dl>
  );
}

function Details({ advice }: { advice: TimeoutAdvice }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const { confidence, crash, leaseMs, publish } = advice;
  const command = publishCommand(advice);
  const after = duration(Math.round(crash.thenMs));
  return (
    <div className="grid min-w-0 gap-x-6 gap-y-3 text-sm xl:grid-cols-2">
      <dl className="flex min-w-0 flex-col gap-3">
        <Detail term={t('holds')}>
          <Holds advice={advice} />
        </Detail>
        <Detail term={t('lease')}>{leaseMs ? <Lease leaseMs={leaseMs} /> : t('noLease')}</Detail>
        <Detail term={t('crash')}>
          {crash.nowMs === null
            ? t('crashThen', { after })
            : t('crashOf', { now: duration(Math.round(crash.nowMs)), after })}
        </Detail>
        <Detail term={t('confidence')}>
          <span className={clsx('font-medium', confidence === 'low' && 'text-warning')}>
            {t(`confidences.${confidence}`)}
          </span>
          : {t(`confidenceWhy.${confidence}`)}
        </Detail>
      </dl>
      <dl className="flex min-w-0 flex-col gap-3">
        <Detail term={t('recommended')}>
          <Rule advice={advice} />
          <CopyableCode label={t('code')} copy={t('copy')} text={leaseCode(advice)} />
        </Detail>
        <Detail term={t('published')}>
          {publish === null ? t('notOurs') : <Published publish={publish} />}
          {command !== null && (
            <CopyableCode label={t('publishCode')} copy={t('copy')} text={command} />
          )}
        </Detail>
      </dl>
    </div>
  );
}

function Published({ publish }: { publish: NonNullable<TimeoutAdvice['publish']> }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const known = publish.flatMap(({ nowMs }) => nowMs ?? []);
  return known.length === 0
    ? t('notPublished')
    : [...new Set(known)].map((ms) => t('publishedOf', { lease: duration(ms) })).join(', ');
}

function Lease({ leaseMs }: { leaseMs: NonNullable<TimeoutAdvice['leaseMs']> }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const { least, usual, most, count } = leaseMs;
  const values = { usual: duration(usual), least: duration(least), most: duration(most), count };
  return t(values.least === values.most ? 'leaseOf' : 'leaseRange', values);
}

function Holds({ advice: { holdMs, sampled } }: { advice: TimeoutAdvice }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const say = (ms: number): string => duration(Math.round(ms));
  const { p50, p99, low, high, count, isAtLeast } = holdMs;
  return (
    <>
      <p>{t(isAtLeast ? 'atLeast' : 'holdsOf', { p50: say(p50), p99: say(p99), count })}</p>
      {!isAtLeast && (
        <p>
          {high === null
            ? t('above', { low: say(low) })
            : t('between', { low: say(low), high: say(high) })}
        </p>
      )}
      {sampled !== undefined && <p>{t('sampled', { count: sampled })}</p>}
    </>
  );
}

function Rule({ advice }: { advice: TimeoutAdvice }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const clock = useClockText();
  const now = useNow(60_000);
  const { rule, burst, renewal, holdMs, formats } = advice;
  const isRenewed = renewal !== null || formats.includes('qoder');
  return (
    <>
      <p>
        {t(`rules.${rule}`, {
          above: burst?.above ?? 0,
          holds: burst?.holds ?? 0,
          at: burst ? clock(burst.at, now || undefined) : '',
          p99: duration(Math.round(burst?.p99Ms ?? 0)),
          interval: duration(Math.round(renewal?.intervalMs ?? 0)),
          cut: holdMs.cut,
          count: holdMs.count,
        })}
      </p>
      {!isRenewed && rule !== 'cut' && <p className="mt-1">{t('unrenewed')}</p>}
    </>
  );
}
