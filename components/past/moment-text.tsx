'use client';

import { clsx } from 'clsx';
import { useFormatter, useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useDurationText, useExactTimeText } from '@/components/labels';
import { isMoment } from '@/lib/protocol/time';

const TIME = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
} as const;
const DAY = { month: 'short', day: 'numeric', ...TIME } as const;
const YEAR = { year: 'numeric', ...DAY } as const;

const HALF_YEAR_MS = 180 * 86_400_000;
const MINUTE_MS = 60_000;

/** Says a moment to the millisecond with its day, and with the year where it is far from `now`. Takes any number. */
export function useMomentText(): (at: number, now: number) => string {
  const format = useFormatter();
  const time = useTranslations('time');
  return (at, now) => {
    if (!isMoment(at)) return time('unknown');
    const isFar = Math.abs(now - at) > HALF_YEAR_MS;
    return format.dateTime(new Date(at), isFar ? YEAR : DAY);
  };
}

interface Props {
  /** Epoch ms. */
  at: number;
  /** The moment that is looked at: the day is left out where it is the same. */
  beside: number;
  className?: string;
}

/** A time of day to the millisecond; with its day where that is another than that of the moment looked at. */
export function ExactClock({ at, beside, className }: Props) {
  const format = useFormatter();
  const exact = useExactTimeText();
  const withDay = useMomentText();
  const isSameDay = isMoment(at) && new Date(at).toDateString() === new Date(beside).toDateString();
  return (
    <time
      dateTime={isMoment(at) ? new Date(at).toISOString() : undefined}
      title={exact(at)}
      className={clsx('whitespace-nowrap', className)}
    >
      {isSameDay ? format.dateTime(new Date(at), TIME) : withDay(at, beside)}
    </time>
  );
}

/** How long ago, to the minute and without ticking. */
export function useAgeText(): (at: number) => string {
  const t = useTranslations('past');
  const time = useTranslations('time');
  const duration = useDurationText();
  const now = useNow(10_000);
  return (at) => {
    const minutes = Math.floor((now - at) / MINUTE_MS);
    if (now === 0) return '';
    return minutes < 1
      ? t('lessThanAMinute')
      : time('ago', { duration: duration(minutes * MINUTE_MS) });
  };
}
