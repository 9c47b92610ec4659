'use client';

import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { tickLook, timeTicks, zoneMsAt } from '@/components/charts/time-ticks';
import type { Gap } from '@/lib/protocol/target';
import { useMomentText } from './moment-text';
import { gapShares, keyStepMs, type ScrubWindow } from './scrub-window';

/** How long the hand rests before the page follows. */
const SETTLE_MS = 120;
/** So near to the present the scrubber stands at it. */
const PRESENT_MS = 400;
const MOST_TICKS = 6;

interface Props {
  at: number | null;
  now: number;
  window: ScrubWindow;
  gaps: readonly Gap[];
  onMoment: (at: number) => void;
  onPresent: () => void;
}

/** A line of what is kept with a handle at the moment, and hatched where events were missed. */
export function Scrubber({ at, now, window, gaps, onMoment, onPresent }: Props) {
  const t = useTranslations('past');
  const moment = useMomentText();
  const { draft, move } = useDraft(at, (value) => {
    const next = value >= now - PRESENT_MS ? null : value;
    if (next === null) onPresent();
    else onMoment(next);
    return next;
  });
  const shown = draft ?? at ?? now;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = keyStepMs(event);
    if (step === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(Math.max(0, Math.min(now, shown + step)));
  };
  const isPresent = shown >= now - PRESENT_MS;
  return (
    <div className="min-w-0">
      <div className="relative h-6">
        <Track gaps={gaps} window={window} />
        <input
          type="range"
          aria-label={t('scrubber')}
          aria-valuetext={isPresent ? t('present') : moment(shown, now)}
          title={t('scrubberKeys')}
          min={window.from}
          max={window.to}
          step={1}
          value={Math.min(window.to, Math.max(window.from, shown))}
          onChange={(event) => move(Number(event.target.value))}
          onKeyDown={onKeyDown}
          className={clsx(
            'absolute inset-0 w-full cursor-pointer appearance-none bg-transparent',
            '[&::-webkit-slider-thumb]:h-5 [&::-webkit-slider-thumb]:w-2.5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-sm [&::-webkit-slider-thumb]:border-2 [&::-webkit-slider-thumb]:border-surface [&::-webkit-slider-thumb]:bg-past',
            'dark:[&::-webkit-slider-thumb]:bg-on-past dark:[&::-moz-range-thumb]:bg-on-past',
            '[&::-moz-range-thumb]:h-4 [&::-moz-range-thumb]:w-1.5 [&::-moz-range-thumb]:rounded-sm [&::-moz-range-thumb]:border-2 [&::-moz-range-thumb]:border-surface [&::-moz-range-thumb]:bg-past',
          )}
        />
      </div>
      <Ticks window={window} />
    </div>
  );
}

interface Draft {
  of: number | null;
  value: number;
  isSent: boolean;
}

/**
 * What the hand moves follows at once, and the address when it rests. The draft counts until the address has followed:
 * a key that is pressed meanwhile goes on from it. `onSettled` returns the moment that the address will name.
 */
function useDraft(at: number | null, onSettled: (value: number) => number | null) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const isLasting = draft !== null && (!draft.isSent || draft.of === at);
  const toSend = isLasting && !draft.isSent ? draft.value : null;
  const settle = useEffectEvent((value: number) => {
    const next = onSettled(value);
    setDraft(next === at ? null : { of: at, value, isSent: true });
  });
  useEffect(() => {
    if (toSend === null) return undefined;
    const timer = setTimeout(() => settle(toSend), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [toSend]);
  return {
    draft: isLasting ? draft.value : null,
    move: (value: number) => setDraft({ of: at, value, isSent: false }),
  };
}

/** The handle's middle is half its width away from the ends. */
const INSET = 'inset-x-[5px]';

function Track({ gaps, window }: { gaps: readonly Gap[]; window: ScrubWindow }) {
  return (
    <div
      aria-hidden
      className={clsx('absolute top-2 h-2 overflow-hidden rounded-full bg-line-strong', INSET)}
    >
      {gapShares(gaps, window).map(({ gap, left, width }) => (
        <span
          key={`${gap.from} ${gap.reason}`}
          className="hatched absolute inset-y-0 min-w-[3px] bg-surface"
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </div>
  );
}

const LOOKS = {
  day: { month: 'short', day: 'numeric' },
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
} as const;

function Ticks({ window: { from, to } }: { window: ScrubWindow }) {
  const format = useFormatter();
  const zoneMs = zoneMsAt(from);
  const { at: ticks, stepMs } = timeTicks({ from, to }, MOST_TICKS, zoneMs);
  return (
    <div aria-hidden className="relative mx-[5px] h-4 text-2xs text-ink-3">
      {ticks.map((tick) => {
        const left = (tick - from) / (to - from);
        // At the very ends a label would be cut off, or run into the next.
        if (left < 0.07 || left > 0.93) return null;
        return (
          <span
            key={tick}
            className="absolute -translate-x-1/2 whitespace-nowrap"
            style={{ left: `${left * 100}%` }}
          >
            {format.dateTime(new Date(tick), LOOKS[tickLook(tick, stepMs, zoneMs)])}
          </span>
        );
      })}
    </div>
  );
}
