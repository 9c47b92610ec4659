'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { END_TONE, useClockText, useDurationText } from '@/components/labels';
import { TONE_TEXT } from '@/components/ui/badge';
import type { Hold, PastHold } from '@/lib/protocol/lock';
import { layoutTimeline, type TimelineBar } from './timeline-layout';

interface Props {
  holds: readonly PastHold[];
  current: Hold | null;
}

/** Past holds and the present one on a line of time. The table below it says the same in words. */
export function HoldTimeline({ holds, current }: Props) {
  const t = useTranslations('lock.history');
  const now = useNow();
  const clock = useClockText();
  const timeline = now === 0 ? null : layoutTimeline(holds, current, now);
  if (!timeline) return null;
  const hasUncertain = timeline.bars.some((bar) => bar.isStartUncertain || bar.isEndUncertain);
  return (
    <figure className="px-3 pt-3 pb-2">
      <figcaption className="sr-only">
        {t('timelineLabel', { count: timeline.bars.length })}
      </figcaption>
      <div aria-hidden className="relative h-8 overflow-hidden rounded bg-sunken">
        {timeline.ticks.map(({ at, left }) => (
          <span
            key={at}
            className="absolute inset-y-0 w-px bg-line"
            style={{ left: `${left * 100}%` }}
          />
        ))}
        {timeline.bars.map((bar) => (
          <Bar key={bar.generation} bar={bar} now={now} />
        ))}
      </div>
      <div aria-hidden className="relative mt-1 h-4 overflow-hidden text-2xs text-ink-3">
        {timeline.ticks.map(({ at, left }) => (
          <span
            key={at}
            className={clsx(
              'absolute whitespace-nowrap',
              left > 0.9 ? '-translate-x-full' : left > 0.05 && '-translate-x-1/2',
            )}
            style={{ left: `${left * 100}%` }}
          >
            {clock(at, now)}
          </span>
        ))}
      </div>
      {hasUncertain && <p className="text-2xs text-ink-3">{t('gapNote')}</p>}
    </figure>
  );
}

function Bar({ bar, now }: { bar: TimelineBar; now: number }) {
  const t = useTranslations('lock.history');
  const reasons = useTranslations('labels.endReasons');
  const duration = useDurationText();
  const title = [
    `#${bar.generation}`,
    bar.owner?.slice(0, 80),
    duration((bar.end ?? now) - bar.start),
    bar.reason === null ? t('current') : reasons(bar.reason),
  ]
    .filter(Boolean)
    .join(' · ');
  return (
    <span
      title={title}
      className={clsx(
        'absolute inset-y-1.5 min-w-[3px] border-current',
        bar.reason === null ? 'text-held' : TONE_TEXT[END_TONE[bar.reason]],
        bar.isStartUncertain ? 'border-l-2 border-dashed' : 'rounded-l-[3px]',
        bar.isEndUncertain ? 'border-r-2 border-dashed' : 'rounded-r-[3px]',
      )}
      style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%` }}
    >
      <span
        className={clsx(
          'absolute inset-0 rounded-[inherit] bg-current',
          bar.reason === null ? 'opacity-90' : 'opacity-70',
        )}
      />
    </span>
  );
}
