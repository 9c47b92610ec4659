import type { BlameLevel } from './blame-tree';
import type { IcicleBox } from './icicle-layout';

/** A hue for each level. The level is told by the row as well, and what a box is by its text. */
const HUES: Record<BlameLevel, string> = {
  all: 'var(--chart-5)',
  namespace: 'var(--chart-5)',
  class: 'var(--chart-1)',
  lock: 'var(--chart-2)',
  holder: 'var(--chart-3)',
};

/** Beyond half of the hue text on it would lose its contrast. */
const PALEST_PERCENT = 14;
const SPREAD_PERCENT = 34;
const REST_PERCENT = 10;

/** The greater the share of all waiting, the stronger the colour. Merged boxes and those without a holder are grey. */
export function boxColour({ node }: IcicleBox, share: number): string {
  if (node === null || node.leaf === null) return mix(HUES.all, REST_PERCENT);
  const isNobody = node.level === 'holder' && node.leaf.cause !== 'holder';
  const hue = isNobody ? 'var(--chart-5)' : HUES[node.level];
  const percent = Math.round(PALEST_PERCENT + SPREAD_PERCENT * Math.sqrt(Math.min(1, share)));
  return mix(hue, percent);
}

const mix = (hue: string, percent: number): string =>
  `color-mix(in oklab, ${hue} ${percent}%, var(--surface))`;
