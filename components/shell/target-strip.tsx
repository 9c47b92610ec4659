'use client';

import { clsx } from 'clsx';
import { EyeOff, TriangleAlert } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import { useConnection, useLive } from '@/components/hooks';
import type { Target } from '@/lib/protocol/target';
import { summariseTarget } from './target-summary';

/** Per target: are we connected, what passes by, and is anything hidden from us. */
export function TargetStrip() {
  const t = useTranslations('shell.target');
  const { data } = useLive('targets', {});
  const isFresh = useConnection() === 'connected';
  if (!data) return null;
  if (data.length === 0) return <span className="text-xs text-ink-3">{t('none')}</span>;
  return (
    <ul className={clsx('flex min-w-0 items-center gap-4', !isFresh && 'stale')}>
      {data.map((target) => (
        <li key={target.id} className="min-w-0">
          <TargetStatus target={target} />
        </li>
      ))}
    </ul>
  );
}

function TargetStatus({ target }: { target: Target }) {
  const t = useTranslations('shell.target');
  const { connected, eventsPerSecond, sight, sweeping, otherWarnings } = summariseTarget(target);
  return (
    <PageLink
      href="/targets"
      className="flex h-7 min-w-0 items-center gap-2 rounded px-1.5 text-xs hover:bg-sunken"
    >
      <span
        aria-hidden
        className={clsx(
          'size-2 shrink-0 rounded-full',
          connected ? 'bg-ok' : 'border-2 border-critical',
        )}
      />
      <span className="sr-only">
        {t(connected ? 'connected' : 'disconnected', { target: target.id })}
      </span>
      <bdi aria-hidden className="truncate font-mono text-ink-2">
        {target.id}
      </bdi>
      {connected && (
        <span title={t('rateTitle')} className="text-ink-3 max-sm:hidden">
          {sweeping ? t('sweeping') : t('rate', { rate: Math.round(eventsPerSecond) })}
        </span>
      )}
      {sight !== 'whole' && (
        <span
          title={t(connected ? `sightTitles.${sight}` : 'disconnected', { target: target.id })}
          className="inline-flex items-center gap-1 font-medium whitespace-nowrap text-critical"
        >
          <EyeOff size={12} aria-hidden />{' '}
          <span className="max-sm:sr-only">{t(`sights.${sight}`)}</span>
        </span>
      )}
      {otherWarnings > 0 && (
        <span className="inline-flex items-center gap-1 whitespace-nowrap text-warning">
          <TriangleAlert size={12} aria-hidden />
          <span className="max-sm:sr-only">{t('warnings', { count: otherWarnings })}</span>
        </span>
      )}
    </PageLink>
  );
}
