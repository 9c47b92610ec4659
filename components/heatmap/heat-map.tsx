'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { EvidenceMark } from '@/components/labels';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { ExportButtons } from './export/export-buttons';
import type { HeatImage } from './export/heat-image';
import { HeatCanvas } from './heat-canvas';
import type { Earlier } from './heat-compare';
import type { HeatData } from './heat-data';
import { spanLabels } from './heat-format';
import { HeatLegend } from './heat-legend';
import { rowHref, waitsHref } from './heat-links';
import { HeatMessageList } from './heat-message-list';
import { heatMessages } from './heat-messages';
import type { HeatColours } from './heat-palette';
import type { HeatView, Span } from './heat-params';
import { createPicture } from './heat-picture';
import { HeatTable } from './heat-table';
import type { LabelBlock } from './heat-tree';
import { commonSubject, subjectOf } from './heat-tree';
import { HeatHelp } from './help/heat-help';
import { PIN_SIZE, PinnedCard } from './pinned-card';
import { exactAddress, type useHeatAddress } from './use-heat-address';
import { useHeatInk } from './use-heat-ink';
import type { Place } from './use-heat-window';

interface Props {
  data: HeatData;
  query: HeatmapParams;
  /** What the map is compared with; `before` is null while its figures are on their way. */
  comparison: { earlier: Earlier; before: HeatData | null } | null;
  view: HeatView;
  time: Span;
  maxHeight: number;
  address: ReturnType<typeof useHeatAddress>;
}

/** The map with all that explains it: meaning, messages, legend, table, and the ways to take it along. */
export function HeatMap({ data, query, comparison, view, time, maxHeight, address }: Props) {
  const t = useTranslations('heatmap');
  const router = useRouter();
  const box = useRef<HTMLElement>(null);
  const look = useHeatInk(box);
  const before = comparison?.before ?? null;
  const earlier = comparison?.earlier ?? null;
  const picture = useMemo(
    () => createPicture(data, before && earlier && { earlier, before }),
    [data, before, earlier],
  );
  const { scale } = picture;
  const { set, show, drill } = address;
  const theme = look?.theme ?? 'light';
  const colours: HeatColours = useMemo(
    () => ({ theme, ramp: view.ramp, brightness: view.brightness, kind: scale.kind }),
    [theme, view.ramp, view.brightness, scale.kind],
  );
  const messages = useMemo(
    () => heatMessages({ data, time, top: scale.top, brightness: view.brightness, comparison }),
    [data, time, scale.top, view.brightness, comparison],
  );

  const onPlace = (place: Place, chosenRows?: Span) => {
    const hasMerged = data.rowsLeftOut > 0 || data.rows.some((row) => row.kind === 'others');
    const subject = chosenRows && hasMerged && commonSubject(picture.data.rows, chosenRows, view);
    if (subject) drill(subject, place.time);
    else show(place.time, place.rows);
  };
  const pressDoes = (block: LabelBlock) => {
    if (subjectOf(block, view)) return 'drillDown';
    return block.row && block.row.kind !== 'others' ? 'openLocks' : null;
  };
  const onLabel = (block: LabelBlock) => {
    const subject = subjectOf(block, view);
    if (subject) drill(subject);
    else if (block.row && block.row.kind !== 'others') router.push(rowHref(view.group, block.row));
  };

  const [from, to] = spanLabels(time, time.to);
  const rowWindow = view.rowSpan ?? { from: 0, to: picture.data.rows.length };
  const image = (): HeatImage | null =>
    look && {
      picture,
      window: { ...time, rowFrom: rowWindow.from, rowTo: Math.max(1, rowWindow.to) },
      colours,
      ink: look.ink,
      title: t('imageTitle', { metric: t(`metrics.${data.metric}`) }),
      subtitle: t('imageSubtitle', {
        from,
        to,
        rows: picture.data.rows.length,
        compared: earlier ? t(`earlierTitle.${earlier}`) : '',
      }),
      t,
    };

  return (
    <section
      ref={box}
      aria-label={t(`metrics.${data.metric}`)}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 text-xs text-ink-2">
        <EvidenceMark evidence={data.evidence} named />
        <p className="min-w-0 flex-1 basis-72">
          {earlier && <strong className="font-medium">{t(`earlierTitle.${earlier}`)} </strong>}
          {t(`metricMeanings.${data.metric}`)}
        </p>
        <div className="flex items-center gap-0.5">
          <ExportButtons
            data={data}
            query={query}
            image={image}
            address={exactAddress(view, time)}
          />
          <HeatHelp colours={colours} />
        </div>
      </div>
      <HeatMessageList
        messages={messages}
        metric={data.metric}
        rows={view.rows}
        onRows={(rows) => set({ rows })}
      />
      <div className="p-3">
        <HeatCanvas
          picture={picture}
          place={{ time, rows: view.rowSpan }}
          colours={colours}
          look={look}
          maxHeight={maxHeight}
          isLive={view.fixed === null}
          marker={view.at}
          pressDoes={pressDoes}
          onLabel={onLabel}
          onPlace={onPlace}
          onBack={address.back}
          onReset={address.follow}
          pinSize={PIN_SIZE}
          pinned={({ facts, at, cell, onClose }) => (
            <PinnedCard
              facts={facts}
              picture={picture}
              colours={colours}
              place={at}
              locksHref={rowHref(view.group, facts.row)}
              waitsHref={waitsHref(facts.row, facts)}
              shown={view}
              onSubject={drill}
              onZoom={() =>
                show(around(facts, data), rowsAround(cell.row, picture.data.rows.length))
              }
              onClose={onClose}
            />
          )}
        />
      </div>
      <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
        <HeatLegend
          metric={data.metric}
          scale={scale}
          colours={colours}
          hasGaps={data.gaps.length > 0}
          onBrightness={(value) => set({ brightness: value === 0 ? null : value }, 'replace')}
          onRamp={(ramp) => set({ ramp: ramp === 'viridis' ? null : ramp }, 'replace')}
        />
        <p aria-hidden className="text-2xs text-ink-3 max-md:hidden">
          {t('hints')}
        </p>
      </div>
      <TableBelow data={picture.data} kind={picture.rowKind} />
    </section>
  );
}

function TableBelow(props: Parameters<typeof HeatTable>[0]) {
  const t = useTranslations('heatmap');
  const [isShown, setIsShown] = useState(false);
  return (
    <details
      className="border-t border-line"
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
        {t('table')}
      </summary>
      {isShown && <HeatTable {...props} />}
    </details>
  );
}

/** Closer than this a column would be wider than the map. */
const LEAST_SPAN_MS = 60_000;
const COLUMNS_AROUND = 3;
const ROWS_AROUND = 12;

function around({ from, to }: Span, { stepMs }: HeatData): Span {
  const wide = Math.max(LEAST_SPAN_MS / 2, COLUMNS_AROUND * stepMs);
  const middle = (from + to) / 2;
  return { from: Math.round(middle - wide), to: Math.round(middle + wide) };
}

function rowsAround(row: number, rows: number): Span | null {
  if (rows <= 2 * ROWS_AROUND) return null;
  const from = Math.max(0, Math.min(rows - 2 * ROWS_AROUND, row - ROWS_AROUND));
  return { from, to: from + 2 * ROWS_AROUND };
}
