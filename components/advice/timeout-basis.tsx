'use client';

import { useTranslations } from 'use-intl';
import type { TimeoutsPage } from '@/lib/protocol/advice';
import { useDurationText } from '@/components/labels';
import { Notice } from '@/components/ui/notice';

const DAY_MS = 86_400_000;
/** Less than this is missing of what is wanted: no word about it. */
const NEARLY = 0.99;

/** Network jitter is often less than a millisecond, of which a duration in words would say nothing. */
const useShortText = () => {
  const duration = useDurationText();
  return (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : duration(Math.round(ms)));
};

/** What all recommendations rest on: how much was watched, and the jitter that was measured. */
export function TimeoutBasis({ page }: { page: TimeoutsPage }) {
  const t = useTranslations('advice.timeouts');
  const short = useShortText();
  const { jitter, coveredMs, wantedMs } = page;
  const [days, wanted] = [Math.max(0, coveredMs) / DAY_MS, wantedMs / DAY_MS];
  return (
    <p className="max-w-prose text-sm text-ink-2">
      {jitter
        ? t('basis', {
            ...{ days, wanted, count: jitter.count },
            jitter: short(jitter.ms),
            p99: short(jitter.p99Ms),
            p50: short(jitter.p50Ms),
          })
        : t('basisNoJitter', { days, wanted })}
      {coveredMs < wantedMs * NEARLY && ` ${t('short')}`}
    </p>
  );
}

/** Whether a failed task is tried again late enough for the lock of the attempt before to be gone. */
export function RetryNotice({ retry }: { retry: TimeoutsPage['retry'] }) {
  const t = useTranslations('advice.timeouts');
  const duration = useDurationText();
  const { delayMs, leastMs, timeoutMs, file } = retry;
  const values = { timeout: duration(timeoutMs), least: duration(leastMs), file };
  const isShort = delayMs !== null && delayMs < leastMs;
  return (
    <Notice tone={isShort ? 'warning' : delayMs === null ? 'info' : 'ok'} title={t('retry')}>
      {delayMs === null
        ? t('retryUnknown', values)
        : t(isShort ? 'retryShort' : 'retryOk', { ...values, delay: duration(delayMs) })}
    </Notice>
  );
}
