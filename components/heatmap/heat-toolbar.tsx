'use client';

import { clsx } from 'clsx';
import { Pause, Play, RotateCcw, Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { HEAT_METRICS, memberOf } from '@/lib/protocol/closed-sets';
import type { HeatMetric } from '@/lib/protocol/measures';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { Earlier } from './heat-compare';
import type { HeatView, Range } from './heat-params';
import { EARLIER_NAMES, GROUPS, RANGE_NAMES } from './heat-params';

interface Props {
  view: HeatView;
  onMetric: (metric: HeatMetric) => void;
  onGroup: (group: HeatView['group']) => void;
  onRange: (range: Range) => void;
  onEarlier: (earlier: Earlier | null) => void;
  onPause: () => void;
  onResume: () => void;
  onBack: () => void;
}

/** What is drawn: figure, rows, range, what it is compared with, and whether it follows the present. */
export function HeatToolbar(props: Props) {
  const { view, onGroup, onRange } = props;
  const t = useTranslations('heatmap');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <MetricSelect {...props} />
      <SegmentedControl
        label={t('group')}
        value={view.group}
        options={GROUPS.map((group) => ({ value: group, label: t(`groups.${group}`) }))}
        onChange={onGroup}
      />
      <SegmentedControl<Range | ''>
        label={t('range')}
        value={view.fixed ? '' : view.range}
        options={RANGE_NAMES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
        onChange={(range) => range !== '' && onRange(range)}
      />
      <EarlierSelect {...props} />
      <Following {...props} />
    </div>
  );
}

function MetricSelect({ view, onMetric }: Props) {
  const t = useTranslations('heatmap');
  return (
    <label className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2">
      {t('metric')}
      <Select
        className="w-auto"
        value={view.metric}
        onChange={(event) => {
          const metric = memberOf(HEAT_METRICS, event.target.value);
          if (metric) onMetric(metric);
        }}
      >
        {HEAT_METRICS.map((metric) => (
          <option key={metric} value={metric}>
            {t(`metrics.${metric}`)}
          </option>
        ))}
      </Select>
    </label>
  );
}

function EarlierSelect({ view, onEarlier }: Props) {
  const t = useTranslations('heatmap');
  return (
    <label className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2">
      {t('compare')}
      <Select
        className="w-auto"
        value={view.earlier ?? ''}
        onChange={(event) => onEarlier(memberOf(EARLIER_NAMES, event.target.value) ?? null)}
      >
        <option value="">{t('earlier.nothing')}</option>
        {EARLIER_NAMES.map((name) => (
          <option key={name} value={name}>
            {t(`earlier.${name}`)}
          </option>
        ))}
      </Select>
    </label>
  );
}

function Following({ view, onPause, onResume, onBack }: Props) {
  const t = useTranslations('heatmap');
  const isMoved = view.fixed !== null || view.namespace !== null || view.class !== null;
  return (
    <div className="ml-auto flex items-center gap-1.5">
      <span className="flex items-center gap-1.5 text-xs text-ink-2">
        <span
          aria-hidden
          className={clsx('size-2 rounded-full', view.fixed ? 'border border-ink-3' : 'bg-ok')}
        />
        {view.fixed ? t('paused') : t('live')}
      </span>
      {isMoved && (
        <IconButton label={t('back')} icon={<Undo2 size={14} aria-hidden />} onClick={onBack} />
      )}
      {view.fixed ? (
        <Button size="sm" icon={<Play size={12} aria-hidden />} onClick={onResume}>
          {t('resume')}
        </Button>
      ) : (
        <Button size="sm" icon={<Pause size={12} aria-hidden />} onClick={onPause}>
          {t('pause')}
        </Button>
      )}
      {(view.fixed ?? view.rowSpan) && (
        <IconButton
          label={t('reset')}
          icon={<RotateCcw size={14} aria-hidden />}
          onClick={onResume}
        />
      )}
    </div>
  );
}
