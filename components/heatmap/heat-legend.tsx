'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import type { HeatMetric } from '@/lib/protocol/measures';
import { metricFigure } from './heat-format';
import type { HeatTheme } from './heat-palette';
import { cssColour, rampColour, zeroColour } from './heat-palette';
import { MAX_BRIGHTNESS, MIN_BRIGHTNESS, brighten, legendValues, positionOf } from './heat-scale';

interface Props {
  metric: HeatMetric;
  top: number;
  theme: HeatTheme;
  brightness: number;
  hasGaps: boolean;
  onBrightness: (brightness: number) => void;
}

const STEPS = 24;

/** What the colours mean, and how bright they are. The scale is logarithmic and says so by its figures. */
export function HeatLegend({ metric, top, theme, brightness, hasGaps, onBrightness }: Props) {
  const t = useTranslations('heatmap');
  const stops = Array.from({ length: STEPS + 1 }, (_, step) =>
    cssColour(rampColour(theme, brighten(step / STEPS, brightness))),
  );
  return (
    <div className="flex flex-wrap items-start gap-x-5 gap-y-2 text-2xs text-ink-2">
      <figure
        className="w-60 max-w-full"
        aria-label={t('legend', { top: metricFigure(metric, top) })}
      >
        <div className="flex h-2.5 overflow-hidden rounded-sm border border-line">
          <span className="w-3 shrink-0" style={{ background: cssColour(zeroColour(theme)) }} />
          <span
            className="flex-1"
            style={{ background: `linear-gradient(to right, ${stops.join(',')})` }}
          />
        </div>
        <div aria-hidden className="relative mt-0.5 h-4">
          {legendValues(top).map((value) => (
            <LegendFigure key={value} share={positionOf(value, top)}>
              {metricFigure(metric, value)}
            </LegendFigure>
          ))}
        </div>
      </figure>
      <Swatch kind="unknown" label={t('legendUnknown')} />
      {hasGaps && <Swatch kind="gap" label={t('legendGap')} />}
      <label className="ml-auto flex items-center gap-2">
        {t('brightness')}
        <input
          type="range"
          min={MIN_BRIGHTNESS}
          max={MAX_BRIGHTNESS}
          step={0.5}
          value={brightness}
          onChange={(event) => onBrightness(Number(event.target.value))}
          onDoubleClick={() => onBrightness(0)}
          className="w-28 accent-accent"
        />
      </label>
    </div>
  );
}

function LegendFigure({ share, children }: { share: number; children: string }) {
  const shift = share === 0 ? '0' : share === 1 ? '-100%' : '-50%';
  return (
    <span
      className="absolute whitespace-nowrap"
      style={{ left: `${share * 100}%`, transform: `translateX(${shift})` }}
    >
      {children}
    </span>
  );
}

const GAP_STRIPES = {
  backgroundImage:
    'repeating-linear-gradient(-45deg, var(--warning) 0 1.5px, transparent 1.5px 6px)',
};

function Swatch({ kind, label }: { kind: 'unknown' | 'gap'; label: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span
        aria-hidden
        className={clsx('h-2.5 w-5 rounded-sm border border-line', kind === 'unknown' && 'hatched')}
        style={kind === 'gap' ? GAP_STRIPES : undefined}
      />
      {label}
    </span>
  );
}
