import type { QuantileName } from './quantile-series';

const HUE = { waits: 'var(--chart-1)', holds: 'var(--chart-3)' };

/** How much of the hue is left, and what it is mixed with: from pale to dark as the percentile rises. */
const MIX: Record<QuantileName, [percent: number, other: string]> = {
  p50: [62, 'var(--surface)'],
  p90: [82, 'var(--surface)'],
  p95: [100, 'var(--surface)'],
  p99: [66, 'var(--ink)'],
  p999: [30, 'var(--ink)'],
};

/**
 * One hue, stepped in lightness: percentiles are ordered and their lines never cross, so that they are told apart
 * without seeing colours.
 */
export function quantileColour(of: 'waits' | 'holds', name: QuantileName): string {
  const [percent, other] = MIX[name];
  return `color-mix(in oklab, ${HUE[of]} ${percent}%, ${other})`;
}
