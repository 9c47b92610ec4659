'use client';

import { clsx } from 'clsx';
import { useFormatter, useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { durationParts } from '@/lib/messages/duration';

/** Says a duration in milliseconds in at most two units: "9 m 12 s". */
export function useDurationText(): (durationMs: number) => string {
  const t = useTranslations('time');
  return (durationMs) =>
    durationParts(durationMs)
      .map(({ n, unit }) => t(unit, { n }))
      .join(' ');
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const DAY = { month: 'short', day: 'numeric', ...CLOCK } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Says a time of day in the reader's zone; with the day when it is more than 20 hours from `now`. */
export function useClockText(): (at: number, now?: number) => string {
  const format = useFormatter();
  return (at, now) =>
    format.dateTime(
      new Date(at),
      now !== undefined && Math.abs(now - at) > (DAY_MS * 5) / 6 ? DAY : CLOCK,
    );
}

/** A time in full, to the millisecond, with its zone: for titles. */
export function useExactTimeText(): (at: number) => string {
  const format = useFormatter();
  return (at) =>
    format.dateTime(new Date(at), {
      year: 'numeric',
      month: 'short',
      day: '2-digit',
      ...CLOCK,
      fractionalSecondDigits: 3,
      timeZoneName: 'short',
    });
}

interface TimeProps {
  /** Epoch ms. */
  at: number;
  className?: string;
}

/** "14:36:10", exact on hover; with the day when it is not today. */
export function ClockTime({ at, className }: TimeProps) {
  const now = useNow();
  const clock = useClockText();
  const exact = useExactTimeText();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={exact(at)}
      className={clsx('whitespace-nowrap', className)}
    >
      {clock(at, now || undefined)}
    </time>
  );
}

/** "3 m 5 s ago", exact on hover, counting on by the server's clock. */
export function TimeAgo({ at, className }: TimeProps) {
  const t = useTranslations('time');
  const now = useNow();
  const duration = useDurationText();
  const exact = useExactTimeText();
  const agoMs = wholeSeconds(now - at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={exact(at)}
      className={clsx('whitespace-nowrap', className)}
    >
      {now === 0 ? '' : agoMs <= 0 ? t('now') : t('ago', { duration: duration(agoMs) })}
    </time>
  );
}

/** A fixed duration. */
export function DurationText({ ms, className }: { ms: number; className?: string }) {
  const duration = useDurationText();
  return <span className={clsx('whitespace-nowrap', className)}>{duration(ms)}</span>;
}

/** How long since `since`, counting. */
export function Elapsed({ since, className }: { since: number; className?: string }) {
  const now = useNow();
  const seconds = useSecondsText();
  return (
    <span className={clsx('whitespace-nowrap', className)}>
      {now === 0 ? '' : seconds(now - since)}
    </span>
  );
}

/** How long until `deadline`, counting down; "over by 3 s" beyond it. */
export function Countdown({ deadline, className }: { deadline: number; className?: string }) {
  const t = useTranslations('time');
  const now = useNow();
  const seconds = useSecondsText();
  const leftMs = deadline - now;
  return (
    <span className={clsx('whitespace-nowrap', leftMs < 0 && 'text-warning', className)}>
      {now === 0 ? '' : leftMs < 0 ? t('over', { duration: seconds(-leftMs) }) : seconds(leftMs)}
    </span>
  );
}

/** Figures that change once a second show whole seconds, or they would flicker. */
export function useSecondsText(): (durationMs: number) => string {
  const t = useTranslations('time');
  const duration = useDurationText();
  return (durationMs) => {
    const ms = wholeSeconds(durationMs);
    return ms === 0 ? t('s', { n: '0' }) : duration(ms);
  };
}

/** Like a clock, which shows the second that has begun. */
const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000) * 1000);
