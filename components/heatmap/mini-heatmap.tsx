'use client';

import { PageLink } from '@/components/ui/page-link';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useWidth } from '@/components/hooks';
import type { Heatmap } from '@/lib/protocol/measures';
import { HeatBitmaps } from './heat-bitmap';
import { rowText } from './heat-frame';
import { rowHref } from './heat-links';
import { createPalette } from './heat-palette';
import { gridOfValues, hottestValue } from './heat-data';
import { coarseFactor, toLevels } from './heat-raster';
import { scaleTop } from './heat-scale';
import { useHeatInk } from './use-heat-ink';

const ROW_PX = 18;
const MAX_ROWS = 14;

/** The hottest classes of the time shown, small: rows link to their locks, the map to the heatmap. */
export function MiniHeatmap({ data }: { data: Heatmap }) {
  const t = useTranslations('heatmap');
  const rows = useMemo(() => hottestRows(data, MAX_ROWS), [data]);
  const nameOf = (index: number): string | undefined => {
    const row = data.rows[index];
    return row && rowText(row, 'class', t);
  };
  return (
    <div className="flex min-w-0 gap-2">
      <ul className="w-36 shrink-0 sm:w-48">
        {rows.map((index) => (
          <li key={index} style={{ height: ROW_PX }} className="flex items-center">
            <PageLink
              href={rowHref('class', data.rows[index])}
              title={nameOf(index)}
              className="min-w-0 truncate font-mono text-2xs text-ink-2 hover:text-accent-ink hover:underline"
            >
              <bdi dir="ltr">{nameOf(index)}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
      <PageLink href="/heatmap" aria-label={t('miniOpen')} className="min-w-0 flex-1">
        <MiniCells data={data} rows={rows} />
      </PageLink>
    </div>
  );
}

function MiniCells({ data, rows }: { data: Heatmap; rows: readonly number[] }) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const look = useHeatInk(box);
  const bitmaps = useMemo(() => {
    const values = rows.map((row) => data.values[row] ?? []);
    const grid = gridOfValues(values, data.columns.length);
    const top = scaleTop(data.metric, hottestValue(grid));
    return new HeatBitmaps(toLevels(grid, { kind: 'heat', top }));
  }, [data, rows]);
  const theme = look?.theme ?? 'light';
  const palette = useMemo(
    () => createPalette({ theme, ramp: 'viridis', brightness: 0, kind: 'heat' }),
    [theme],
  );
  const height = rows.length * ROW_PX;

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || !look || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.current.width = width * ratio;
    canvas.current.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const column = coarseFactor(data.columns.length, width * ratio);
    const cells = bitmaps.canvas({ row: 1, column }, palette);
    if (!cells) return;
    context.imageSmoothingEnabled = false;
    context.drawImage(cells, 0, 0, width, height);
    context.fillStyle = look.ink.surface;
    for (let row = 1; row < rows.length; row++) context.fillRect(0, row * ROW_PX - 0.5, width, 1);
  }, [bitmaps, palette, look, width, height, rows.length, data.columns.length]);

  return (
    <div ref={box} className="hatched overflow-hidden rounded-sm">
      <canvas ref={canvas} aria-hidden style={{ width: '100%', height }} className="block" />
    </div>
  );
}

/** Row numbers of the hottest rows, hottest first. */
function hottestRows(data: Heatmap, limit: number): number[] {
  const heat = data.values.map((row) => row.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  return heat
    .map((_, row) => row)
    .sort((a, b) => (heat[b] ?? 0) - (heat[a] ?? 0))
    .slice(0, limit);
}
