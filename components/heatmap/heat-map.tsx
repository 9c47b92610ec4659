'use client';

import { useRouter } from 'next/navigation';
import { useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { HeatCanvas } from './heat-canvas';
import type { Earlier } from './heat-compare';
import type { HeatData } from './heat-data';
import { HeatHeader } from './heat-header';
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
import { closeTo } from './heat-window';
import { PIN_SIZE, PinnedCard } from './pinned-card';
import type { useHeatAddress } from './use-heat-address';
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
  /** Epoch ms. */
  now: number;
  address: ReturnType<typeof useHeatAddress>;
}

/** The map with all that explains it: meaning, messages, legend, table, and the ways to take it along. */
export function HeatMap({ data, query, comparison, view, time, maxHeight, now, address }: Props) {
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

  return (
    <section
      ref={box}
      aria-label={t(`metrics.${data.metric}`)}
      className="min-w-0 rounded-lg border border-line bg-surface"
    >
      <HeatHeader
        picture={picture}
        query={query}
        earlier={earlier}
        view={view}
        time={time}
        colours={colours}
        look={look}
      />
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
          now={now}
          isLive={view.fixed === null}
          marker={view.at}
          pressDoes={pressDoes}
          onLabel={onLabel}
          onPlace={onPlace}
          onBack={address.back}
          onReset={address.follow}
          pinSize={PIN_SIZE}
          pinned={(pin) => (
            <PinnedCard
              {...pin}
              picture={picture}
              colours={colours}
              locksHref={rowHref(view.group, pin.facts.row)}
              waitsHref={waitsHref(pin.facts.row, pin.facts)}
              shown={view}
              onSubject={drill}
              onZoom={() => {
                const cell = { ...pin.facts, row: pin.cell.row };
                const close = closeTo(cell, {
                  stepMs: data.stepMs,
                  rows: picture.data.rows.length,
                });
                show(close.time, close.rows);
              }}
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
      <HeatTable data={picture.data} kind={picture.rowKind} />
    </section>
  );
}
