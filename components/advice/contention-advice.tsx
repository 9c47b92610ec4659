'use client';

import { Lightbulb } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { AdvicePage } from '@/lib/protocol/measures';
import { RangePicker } from '@/components/charts/range-picker';
import { rangeQuery, readTimeRange } from '@/components/charts/time-range';
import { useLive, useNow, useUrlParams } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { WhenSeen } from '@/components/live/when-seen';
import { EmptyState } from '@/components/ui/empty-state';
import { AdviceCard } from './advice-card';
import { ADVICE_RANGES } from './advice-view';
import { SilentClasses } from './silent-classes';

/** How locks could be cut; and of which busy classes nothing can be said. */
export function ContentionAdvice() {
  const url = useUrlParams();
  const range = readTimeRange(url.get, ADVICE_RANGES);
  const now = useNow(10_000);
  const answer = useLive('advice', rangeQuery(range, ADVICE_RANGES, now));
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <RangePicker
          range={range}
          choice={ADVICE_RANGES}
          shown={answer.data ?? null}
          onChange={url.set}
        />
      </div>
      <LiveData snapshot={answer} ofRedis>
        {(data) => (
          <div className="flex min-w-0 flex-col gap-3">
            {data.items.length === 0 && <NoAdvice data={data} />}
            {data.items.map((advice) => (
              <AdviceCard key={advice.id} advice={advice} />
            ))}
            {data.silent.length > 0 && <SilentClasses classes={data.silent} />}
          </div>
        )}
      </LiveData>
    </>
  );
}

/** No advice is no praise: what nobody can see is named below it. */
function NoAdvice({ data }: { data: AdvicePage }) {
  const t = useTranslations('advice');
  const isQuiet = data.silent.length === 0;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <WhenSeen>
        <EmptyState
          icon={<Lightbulb size={22} aria-hidden />}
          title={t(isQuiet ? 'nothingWaited' : 'none')}
        >
          {t(isQuiet ? 'nothingWaitedText' : 'noneButSilent')}
        </EmptyState>
      </WhenSeen>
    </div>
  );
}
