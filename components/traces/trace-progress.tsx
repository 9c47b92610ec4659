'use client';

import { useTranslations } from 'use-intl';
import type { Trace } from '@/lib/protocol/trace';
import { useNow } from '@/components/hooks';
import { Countdown } from '@/components/labels';
import { Meter } from '@/components/ui/meter';

/** How much of a trace is over, and how much is left. */
export function TraceProgress({ trace }: { trace: Trace }) {
  const t = useTranslations('traces');
  const now = useNow();
  const { startedAt, endsAt } = trace;
  return (
    <div className="flex items-center gap-3 text-sm">
      <Meter
        className="flex-1"
        label={t('progress')}
        share={now === 0 ? 0 : (now - startedAt) / (endsAt - startedAt)}
      />
      <span className="text-ink-3">{t('left')}</span>
      <Countdown deadline={endsAt} />
    </div>
  );
}
