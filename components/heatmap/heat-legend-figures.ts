import type { HeatMetric } from '@/lib/protocol/measures';
import { changeFigure, metricFigure } from './heat-format';
import type { HeatColours } from './heat-palette';
import { colourAt, cssColour, zeroColour } from './heat-palette';
import type { HeatScale } from './heat-scale';
import { changeLegendValues, legendValues, positionOf } from './heat-scale';

const STEPS = 32;

export interface LegendFigures {
  /** `place` is 0…1 from the left. */
  figures: { place: number; text: string }[];
  /** Evenly spaced from the left. */
  colours: string[];
  /** Colour of a known zero, where it stands apart from the rest. */
  zero: string | null;
}

/** Figures of the legend with their places 0…1, and the colours between. */
export function legendOf(
  metric: HeatMetric,
  scale: HeatScale,
  colours: HeatColours,
): LegendFigures {
  const isChange = scale.kind === 'change';
  const values = isChange ? changeLegendValues(scale.top) : legendValues(scale.top);
  const placeOf = (value: number): number =>
    isChange
      ? 0.5 + (Math.sign(value) * positionOf(Math.abs(value), scale.top)) / 2
      : positionOf(value, scale.top);
  return {
    figures: values.map((value) => ({
      place: placeOf(value),
      text: isChange ? changeFigure(metric, value) : metricFigure(metric, value),
    })),
    colours: Array.from({ length: STEPS + 1 }, (_, step) =>
      cssColour(colourAt(colours, isChange ? (step / STEPS) * 2 - 1 : step / STEPS)),
    ),
    zero: isChange ? null : cssColour(zeroColour(colours)),
  };
}
