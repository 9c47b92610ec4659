'use client';

import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useLive, useNow } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { ExactTime } from './exact-time';
import { Scrubber } from './scrubber';
import { offeredSpans, scrubWindow, spanFor, SPANS_MS, type SpanName } from './scrub-window';

const MINUTE_MS = 60_000;

interface Props {
  at: number | null;
  goTo: (at: number, how?: 'push' | 'replace') => void;
  toNow: () => void;
  /** Steps of the page's own. */
  steps?: ReactNode;
  onClose: () => void;
}

/** Moves the page through what is kept: by hand, by steps, or to an exact moment. */
export function TimeBar({ at, goTo, toNow, steps, onClose }: Props) {
  const t = useTranslations('past');
  const now = useNow(10_000);
  const { data: kept } = useLive('history', {});
  const [chosen, setChosen] = useState<SpanName | null>(null);
  if (now === 0) return null;
  const keptFrom = kept?.holds.from ?? null;
  const offered = offeredSpans(now - (keptFrom ?? now));
  const wanted = chosen ?? spanFor(at, now);
  const span = offered.find((name) => name === wanted) ?? offered.at(-1) ?? '10m';
  const window = scrubWindow({ spanMs: SPANS_MS[span], at, now, keptFrom });
  const jump = (to: number): void => (to >= now ? toNow() : goTo(to));
  const shown = at ?? now;
  return (
    <div className="flex flex-col gap-1 border-b border-line bg-surface px-3 pt-2 pb-2 md:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="flex items-center gap-1.5 max-sm:contents">
          <Button onClick={() => jump(shown - MINUTE_MS)}>{t('minuteBack')}</Button>
          <ExactTime key={at ?? 'now'} at={shown} onMoment={jump} />
          <Button disabled={at === null} onClick={() => jump(shown + MINUTE_MS)}>
            {t('minuteOn')}
          </Button>
        </div>
        {steps}
        <div className="ml-auto flex min-w-0 items-center gap-1.5 max-sm:ml-0">
          {offered.length > 1 && (
            <SegmentedControl
              label={t('span')}
              value={span}
              options={offered.map((name) => ({ value: name, label: t(`spans.${name}`) }))}
              onChange={setChosen}
            />
          )}
          {at === null && (
            <IconButton label={t('close')} icon={<X size={14} aria-hidden />} onClick={onClose} />
          )}
        </div>
      </div>
      <Scrubber
        at={at}
        now={now}
        window={window}
        gaps={kept?.gaps ?? []}
        // The first step away from the present can be undone by Back; scrubbing on is one stay in the past.
        onMoment={(to) => goTo(to, at === null ? 'push' : 'replace')}
        onPresent={toNow}
      />
    </div>
  );
}
