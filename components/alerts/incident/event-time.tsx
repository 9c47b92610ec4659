'use client';

import { useFormatter, useTranslations } from 'use-intl';
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

interface Props {
  /** Epoch ms. */
  at: number;
  /** When the incident began: the day stands there where it is another. */
  since: number;
}

/** When something happened, to the millisecond, and how long after the beginning. */
export function EventTime({ at, since }: Props) {
  const t = useTranslations('incident');
  const format = useFormatter();
  const exact = useExactTimeText();
  const duration = useDurationText();
  if (!isMoment(at)) return null;
  const isSameDay = new Date(at).toDateString() === new Date(since).toDateString();
  const afterMs = at - since;
  return (
    <span className="flex flex-wrap gap-x-2 text-xs tabular-nums">
      <time dateTime={new Date(at).toISOString()} title={exact(at)} className="whitespace-nowrap">
        {format.dateTime(new Date(at), isSameDay ? TIME : DAY)}
      </time>
      <span className="whitespace-nowrap text-ink-3">
        {afterMs < 0
          ? t('before', { duration: duration(-afterMs) })
          : t('after', { duration: duration(afterMs) })}
      </span>
    </span>
  );
}
