'use client';

import { clsx } from 'clsx';
import { useFormatter, useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { durationParts } from '@/lib/messages/duration';
import { AGES_MS, isMoment } from '@/lib/protocol/time';

/** Says a duration in milliseconds in at most two units: "9 m 12 s". Takes any number. */
export function useDurationText(): (durationMs: number) => string {
  const t = useTranslations('time');
  return (durationMs) => {
    if (Number.isNaN(durationMs)) return t('unknown');
    if (durationMs >= AGES_MS) return t('ages');
    return durationParts(durationMs)
      .map(({ n, unit }) => t(unit, { n }))
      .join(' ');
  };
}

/** What to say in place of a time that no `Date` can name; null for one that it can. */
function useNoMomentText(): (at: number) => string | null {
  const t = useTranslations('time');
  return (at) => (isMoment(at) ? null : t(at > 0 ? 'never' : 'unknown'));
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const DAY = { month: 'short', day: 'numeric', ...CLOCK } as const;
const YEAR = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Says a time of day in the reader's zone; with the day when it is more than 20 hours from `now`, and
 * with the year beyond half a year. Takes any number.
 */
export function useClockText(): (at: number, now?: number) => string {
  const format = useFormatter();
  const noMoment = useNoMomentText();
  return (at, now) => {
    const far = now === undefined ? 0 : Math.abs(now - at);
    const look = far > 180 * DAY_MS ? YEAR : far > (DAY_MS * 5) / 6 ? DAY : CLOCK;
    return noMoment(at) ?? format.dateTime(new Date(at), look);
  };
}

/** A time in full, to the millisecond, with its zone: for titles. Takes any number. */
export function useExactTimeText(): (at: number) => string {
  const format = useFormatter();
  const noMoment = useNoMomentText();
  return (at) =>
    noMoment(at) ??
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
    <time dateTime={isoText(at)} title={exact(at)} className={clsx('whitespace-nowrap', className)}>
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
  const noMoment = useNoMomentText();
  const agoMs = wholeSeconds(now - at);
  return (
    <time dateTime={isoText(at)} title={exact(at)} className={clsx('whitespace-nowrap', className)}>
      {now === 0
        ? ''
        : (noMoment(at) ?? (agoMs <= 0 ? t('now') : t('ago', { duration: duration(agoMs) })))}
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

/** How long until a moment; "over by 3 s" beyond it, and no figure for centuries. Takes any number. */
export function useCountdownText(): (leftMs: number) => string {
  const t = useTranslations('time');
  const seconds = useSecondsText();
  return (leftMs) => {
    if (leftMs >= AGES_MS) return t('neverInPractice');
    return leftMs < 0 ? t('over', { duration: seconds(-leftMs) }) : seconds(leftMs);
  };
}

/** How long until `deadline`, counting down. */
export function Countdown({ deadline, className }: { deadline: number; className?: string }) {
  const now = useNow();
  const countdown = useCountdownText();
  const leftMs = deadline - now;
  return (
    <span className={clsx('whitespace-nowrap', leftMs < 0 && 'text-warning', className)}>
      {now === 0 ? '' : countdown(leftMs)}
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

const isoText = (at: number): string | undefined =>
  isMoment(at) ? new Date(at).toISOString() : undefined;

/** Like a clock, which shows the second that has begun. */
const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000) * 1000);
