import type { HeatRow } from '@/lib/protocol/measures';
import { HeatBitmaps } from './heat-bitmap';
import type { Comparison, Earlier } from './heat-compare';
import { EARLIER, compareHeat } from './heat-compare';
import type { CellGrid, HeatData } from './heat-data';
import { hottestValue, knownFrom } from './heat-data';
import { toLevels } from './heat-raster';
import type { HeatScale } from './heat-scale';
import { scaleTop } from './heat-scale';
import type { MarginSource } from './heat-sums';
import { createMargins, marginKind } from './heat-sums';
import type { LabelBlock } from './heat-tree';
import { labelTree } from './heat-tree';

/** An answer made ready to be drawn; what is dear is made once and serves every frame. */
export interface HeatPicture {
  data: HeatData;
  /** The figures that are coloured: those of the data, or what changed. */
  shown: CellGrid;
  /** The figures of the earlier time, over the same cells. */
  before: CellGrid | null;
  scale: HeatScale;
  margins: MarginSource;
  earlierMargins: MarginSource | null;
  tree: LabelBlock[][];
  /** What its rows are, but for those that are added up. */
  rowKind: HeatRow['kind'];
  bitmaps: HeatBitmaps;
  /** Some cell is not known. */
  hasUnknown: boolean;
  /** Before it nothing was watched, epoch ms. */
  known: number | null;
}

/** `then` is the answer for the earlier time; without it the map shows the figures themselves. */
export function createPicture(
  data: HeatData,
  comparison: { earlier: Earlier; before: HeatData } | null,
): HeatPicture {
  if (!comparison) return pictureOf(data, null);
  return pictureOf(data, compareHeat(data, comparison.before, EARLIER[comparison.earlier]));
}

function pictureOf(answer: HeatData, comparison: Comparison | null): HeatPicture {
  const data = comparison?.now ?? answer;
  const shown = comparison?.change ?? data.grid;
  const kind = marginKind(data.metric);
  const scale: HeatScale = {
    kind: comparison ? 'change' : 'heat',
    top: scaleTop(data.metric, hottestValue(shown)),
  };
  return {
    data,
    shown,
    before: comparison?.before ?? null,
    scale,
    margins: createMargins(data.grid, kind),
    earlierMargins: comparison && createMargins(comparison.before, kind),
    tree: labelTree(data.rows),
    rowKind: data.rows.find((row) => row.kind !== 'others')?.kind ?? 'others',
    bitmaps: new HeatBitmaps(toLevels(shown, scale)),
    hasUnknown: shown.cells.some((value) => Number.isNaN(value)),
    known: knownFrom(data),
  };
}
