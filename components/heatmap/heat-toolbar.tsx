'use client';

import { Pause, Play, RotateCcw, Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { HEAT_METRICS, memberOf } from '@/lib/protocol/closed-sets';
import type { HeatMetric } from '@/lib/protocol/measures';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { HeatView, Range } from './heat-params';
import { GROUPS, RANGES } from './heat-params';

interface Props {
  view: HeatView;
  onMetric: (metric: HeatMetric) => void;
  onGroup: (group: HeatView['group']) => void;
  onRange: (range: Range) => void;
  onPause: () => void;
  onResume: () => void;
  onBack: () => void;
}

const RANGE_NAMES: readonly Range[] = ['30m', '3h', '24h'];

/** What is drawn: figure, rows, range, and whether it follows the present. */
export function HeatToolbar({
  view,
  onMetric,
  onGroup,
  onRange,
  onPause,
  onResume,
  onBack,
}: Props) {
  const t = useTranslations('heatmap');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <label className="flex items-center gap-1.5 text-xs text-ink-2">
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
      <SegmentedControl
        label={t('group')}
        value={view.group}
        options={GROUPS.map((group) => ({ value: group, label: t(`groups.${group}`) }))}
        onChange={onGroup}
      />
      <SegmentedControl
        label={t('range')}
        value={view.fixed ? '' : view.range}
        options={RANGE_NAMES.map((range) => ({ value: range, label: t(`ranges.${range}`) }))}
        onChange={(range) => {
          if (range in RANGES && range !== '') onRange(range);
        }}
      />
      <div className="ml-auto flex items-center gap-1.5">
        {view.fixed && (
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
        {view.fixed && (
          <IconButton
            label={t('reset')}
            icon={<RotateCcw size={14} aria-hidden />}
            onClick={onResume}
          />
        )}
      </div>
    </div>
  );
}
