'use client';

import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorText } from '@/components/labels';
import type { LiveSnapshot } from '@/lib/live/live-entry';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { OfRedis } from './loss';

interface Props<T> {
  snapshot: LiveSnapshot<T>;
  /** Shaped like what will come; rows of grey by default. */
  loading?: ReactNode;
  /** It shows how Redis is now: without a connection to it these figures are old ones too. */
  ofRedis?: boolean;
  children: (data: T) => ReactNode;
}

/** The states that all live views share: loading, failed, and figures that are no longer fresh. */
export function LiveData<T>({ snapshot, loading, ofRedis = false, children }: Props<T>) {
  const t = useTranslations('live');
  const errors = useTranslations('errors');
  const { data, state, error } = snapshot;
  if (data === undefined) {
    if (state === 'failed' && error) {
      return (
        <div className="p-3">
          <Notice tone="critical" title={errors(error.code)} role="alert">
            <ErrorText error={error} />
          </Notice>
        </div>
      );
    }
    return loading ?? <SkeletonRows label={t('loading')} />;
  }
  return (
    <div
      className={clsx('min-w-0', state === 'stale' && 'stale')}
      aria-busy={state === 'loading' || undefined}
      data-live={state}
    >
      {state === 'failed' && error && (
        <Notice tone="warning" title={t('olderFigures')} className="mb-3">
          <ErrorText error={error} />
        </Notice>
      )}
      {ofRedis ? <OfRedis>{children(data)}</OfRedis> : children(data)}
    </div>
  );
}
