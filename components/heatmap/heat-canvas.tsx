'use client';

import type { ReactNode } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useWidth } from '@/components/hooks';
import { HeatAnnouncement } from './heat-announcement';
import type { CellFacts } from './heat-cell';
import { cellFacts } from './heat-cell';
import { dataEnd } from './heat-data';
import type { CellAt } from './heat-layout';
import { layOut } from './heat-layout';
import type { HeatColours } from './heat-palette';
import type { Span } from './heat-params';
import type { HeatPicture } from './heat-picture';
import { besideCell, besideLabel } from './heat-place';
import { HeatTooltip, LabelTooltip, TOOLTIP_SIZE } from './heat-tooltip';
import type { LabelBlock } from './heat-tree';
import { isSameCell, useHeatGestures } from './use-heat-gestures';
import type { HeatLook } from './use-heat-ink';
import { useHeatPainter } from './use-heat-painter';
import { useHeatPointing } from './use-heat-pointing';
import type { Place } from './use-heat-window';
import { useHeatWindow } from './use-heat-window';

export interface PinnedAt {
  facts: CellFacts;
  cell: CellAt;
  /** Null where there is no room beside the cell, or it is out of sight. */
  place: { left: number; top: number; width: number } | null;
  onClose: () => void;
}

interface Props {
  picture: HeatPicture;
  /** What the address says is in sight. */
  place: Place;
  colours: HeatColours;
  look: HeatLook | null;
  maxHeight: number;
  /** Epoch ms; nothing is shown of later. */
  now: number;
  isLive: boolean;
  /** A moment to mark, epoch ms. */
  marker: number | null;
  /** What a press on a label would do. */
  pressDoes: (block: LabelBlock) => 'drillDown' | 'openLocks' | null;
  onLabel: (block: LabelBlock) => void;
  /** `chosenRows`: of which the map was narrowed to some, and not only in time. */
  onPlace: (place: Place, chosenRows?: Span) => void;
  onBack: () => void;
  onReset: () => void;
  /** What stands beside a pinned cell, and about how large that is. */
  pinned: (pin: PinnedAt) => ReactNode;
  pinSize: { width: number; height: number };
}

/** The map itself: a canvas with hover, pin, zoom, selection and a keyboard cursor. */
export function HeatCanvas(props: Props) {
  const { picture, place, colours, look } = props;
  const { data } = picture;
  const t = useTranslations('heatmap');
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const pointing = useHeatPointing(data);
  const { hover, hoverLabel, pinned } = pointing;

  const rowCount = data.rows.length;
  const depth = picture.tree.length;
  const frame = useMemo(
    () => layOut({ width, maxHeight: props.maxHeight, rows: rowCount, depth }),
    [width, props.maxHeight, rowCount, depth],
  );
  const until = Math.max(dataEnd(data) ?? place.time.to, props.now);
  const view = useHeatWindow({
    ...place,
    isLive: props.isLive,
    rowCount,
    until,
    onSettle: props.onPlace,
  });
  const { window } = view;
  const gestures = useHeatGestures({ ...props, canvas, frame, view, until, pointing });
  const { selection } = gestures;

  const paint = useHeatPainter({ ...props, window, frame, t });
  useEffect(() => {
    const element = canvas.current;
    if (!element || !look || width === 0) return undefined;
    const request = requestAnimationFrame(() =>
      paint(element, { hover, hoverLabel, pinned, selection }),
    );
    return () => cancelAnimationFrame(request);
  }, [paint, look, width, hover, hoverLabel, pinned, selection]);

  const facts = hover && cellFacts(picture, hover);
  const pinnedFacts = pinned && cellFacts(picture, pinned);
  const spotOf = (cell: CellAt, size: { width: number; height: number }) =>
    besideCell(cell, data, { window, frame, size });
  const spot = hover && spotOf(hover, TOOLTIP_SIZE);
  const does = hoverLabel && props.pressDoes(hoverLabel);
  return (
    <div ref={box} className="relative min-w-0">
      {/* A map that arrow keys walk over is an application, not a document. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t('label', { metric: t(`metrics.${data.metric}`), rows: rowCount })}
        aria-describedby="heat-keys"
        onKeyDown={gestures.onKeyDown}
        onBlur={() => pointing.setHover(null)}
      >
        <canvas
          ref={canvas}
          style={{ width: frame.width, height: frame.height }}
          className={`block touch-pan-y select-none ${does ? 'cursor-pointer' : 'cursor-crosshair'}`}
          {...gestures.handlers}
        />
      </div>
      <p id="heat-keys" className="sr-only">
        {t('keys')}
      </p>
      <HeatAnnouncement picture={picture} facts={facts ?? pinnedFacts} />
      {facts && spot && !selection && !isSameCell(hover, pinned) && (
        <HeatTooltip facts={facts} picture={picture} colours={colours} place={spot} />
      )}
      {hoverLabel && (
        <LabelTooltip
          block={hoverLabel}
          kind={picture.rowKind}
          does={does}
          place={besideLabel(hoverLabel, frame, window)}
        />
      )}
      {pinned &&
        pinnedFacts &&
        props.pinned({
          facts: pinnedFacts,
          cell: pinned,
          place: frame.isNarrow ? null : spotOf(pinned, props.pinSize),
          onClose: () => pointing.pin(null),
        })}
    </div>
  );
}
