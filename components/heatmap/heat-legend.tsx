'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl';
import { Select } from '@/components/ui/field';
import type { HeatMetric } from '@/lib/protocol/measures';
import { metricFigure } from './heat-format';
import { legendOf } from './heat-legend-figures';
import type { HeatColours } from './heat-palette';
import type { RampName } from './heat-ramps';
import { RAMP_NAMES } from './heat-ramps';
import type { HeatScale } from './heat-scale';
import { MAX_BRIGHTNESS, MIN_BRIGHTNESS } from './heat-scale';

/** The browser's own track is glaring on a dark page. */
const SLIDER = clsx(
  'h-4 w-28 cursor-pointer appearance-none bg-transparent',
  '[&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-line-strong',
  '[&::-webkit-slider-thumb]:-mt-1 [&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent',
  '[&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-line-strong',
  '[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent',
);

interface Props {
  metric: HeatMetric;
  scale: HeatScale;
  colours: HeatColours;
  hasGaps: boolean;
  onBrightness: (brightness: number) => void;
  onRamp: (ramp: RampName) => void;
}

/** What the colours mean, which they are and how bright. The scale is logarithmic and says so by its figures. */
export function HeatLegend(props: Props) {
  const { metric, scale, colours, hasGaps, onBrightness, onRamp } = props;
  const t = useTranslations('heatmap');
  return (
    <div className="flex flex-wrap items-start gap-x-5 gap-y-2 text-2xs text-ink-2">
      <LegendBar metric={metric} scale={scale} colours={colours} />
      <Swatch kind="unknown" label={t('legendUnknown')} />
      {hasGaps && <Swatch kind="gap" label={t('legendGap')} />}
      <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2">
        {scale.kind === 'heat' && (
          <label className="flex items-center gap-2">
            {t('ramp')}
            <Select
              className="w-auto"
              value={colours.ramp}
              onChange={(event) => {
                const ramp = RAMP_NAMES.find((name) => name === event.target.value);
                if (ramp) onRamp(ramp);
              }}
            >
              {RAMP_NAMES.map((name) => (
                <option key={name} value={name}>
                  {t(`ramps.${name}`)}
                </option>
              ))}
            </Select>
          </label>
        )}
        <label className="flex items-center gap-2">
          {t('brightness')}
          <input
            type="range"
            min={MIN_BRIGHTNESS}
            max={MAX_BRIGHTNESS}
            step={0.5}
            value={colours.brightness}
            onChange={(event) => onBrightness(Number(event.target.value))}
            onDoubleClick={() => onBrightness(0)}
            title={t('brightnessHint')}
            className={SLIDER}
          />
        </label>
      </div>
    </div>
  );
}

function LegendBar({ metric, scale, colours }: Pick<Props, 'metric' | 'scale' | 'colours'>) {
  const t = useTranslations('heatmap');
  const legend = legendOf(metric, scale, colours);
  const top = metricFigure(metric, scale.top);
  return (
    <figure
      className="w-60 max-w-full"
      aria-label={t(scale.kind === 'change' ? 'legendChange' : 'legend', { top })}
    >
      <div className="flex h-2.5 overflow-hidden rounded-sm border border-line">
        {legend.zero && <span className="w-3 shrink-0" style={{ background: legend.zero }} />}
        <span
          className="flex-1"
          style={{ background: `linear-gradient(to right, ${legend.colours.join(',')})` }}
        />
      </div>
      <div aria-hidden className="relative mt-0.5 h-4">
        {legend.figures.map(({ place, text }) => (
          <LegendFigure key={place} share={place}>
            {text}
          </LegendFigure>
        ))}
      </div>
      {scale.kind === 'change' && (
        <div aria-hidden className="flex justify-between">
          <span>{t('less')}</span>
          <span>{t('more')}</span>
        </div>
      )}
    </figure>
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
