'use client';

import { Info, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useDurationText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import type { HeatMetric } from '@/lib/protocol/measures';
import { metricFigure } from './heat-format';
import type { HeatMessage } from './heat-messages';
import { ROW_LIMITS } from './heat-params';

interface Props {
  messages: readonly HeatMessage[];
  metric: HeatMetric;
  /** How many rows the map may have. */
  rows: number;
  onRows: (rows: number) => void;
}

const WARNS: readonly HeatMessage['kind'][] = ['gaps', 'nothingYet', 'nothingEarlier'];

/** What must be known to read the map right, one line each. */
export function HeatMessageList({ messages, metric, rows, onRows }: Props) {
  const t = useTranslations('heatmap');
  const more = ROW_LIMITS.find((limit) => limit > rows);
  if (messages.length === 0) return null;
  return (
    <ul
      aria-label={t('messagesLabel')}
      className="flex flex-col gap-1 border-b border-line px-3 py-2 text-xs text-ink-2"
    >
      {messages.map((message) => (
        <li key={message.kind} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <MessageIcon warns={WARNS.includes(message.kind)} />
          <span className="min-w-0 flex-1 break-words">
            <MessageText message={message} metric={metric} />
          </span>
          {message.kind === 'rowsLeftOut' && more && (
            <Button size="sm" onClick={() => onRows(more)}>
              {t('showMore', { rows: more })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function MessageIcon({ warns }: { warns: boolean }) {
  return warns ? (
    <TriangleAlert size={13} aria-hidden className="shrink-0 text-warning" />
  ) : (
    <Info size={13} aria-hidden className="shrink-0 text-info" />
  );
}

function MessageText({ message, metric }: { message: HeatMessage; metric: HeatMetric }) {
  const t = useTranslations('heatmap.messages');
  const duration = useDurationText();
  switch (message.kind) {
    case 'nothingYet':
      return t('nothingYet');
    case 'quiet':
      return t('quiet', { hottest: metricFigure(metric, message.hottest) });
    case 'brightness':
      return t('brightness', { value: metricFigure(metric, message.saturatesAt) });
    case 'gaps':
      return t('gaps', { count: message.count, duration: duration(message.totalMs) });
    case 'notObservable':
      return t('notObservable', {
        count: message.count,
        names: message.names.join(', '),
        more: message.count - message.names.length,
      });
    case 'rowsLeftOut':
      return t(message.areAdded ? 'rowsAdded' : 'rowsLeftOut', { count: message.count });
    case 'nothingEarlier':
      return t(`nothingEarlier.${message.earlier}`);
    case 'coarseEarlier':
      return t('coarseEarlier', { step: duration(message.stepMs) });
  }
}
