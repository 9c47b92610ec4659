'use client';

import { X } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { useTranslations } from 'use-intl';
import type { Heatmap } from '@/lib/protocol/measures';
import type { CellFacts, WhyUnknown } from './heat-cell';
import { metricFigure, timeLabel } from './heat-format';
import type { CellAt, HeatFrame } from './heat-layout';
import type { HeatTheme } from './heat-palette';
import { cssColour, inkOn, levelColour } from './heat-palette';
import { levelOf } from './heat-scale';
import type { HeatWindow } from './heat-window';

interface Props {
  facts: CellFacts;
  data: Heatmap;
  cell: CellAt;
  window: HeatWindow;
  frame: HeatFrame;
  top: number;
  brightness: number;
  theme: HeatTheme;
  /** Set when pinned: then the box can be reached and links to the locks. */
  href: string | null;
  onClose: () => void;
}

const WIDTH_PX = 264;

/** What one cell says, beside it. Hovering shows it; pinned it stays and can be used. */
export function HeatTooltip(props: Props) {
  const { facts, data, href } = props;
  const t = useTranslations('heatmap');
  const ui = useTranslations('ui');
  const colour = levelColour(levelOf(facts.value, props.top), props.theme, props.brightness);
  const place = placeTooltip(props);
  if (!place) return null;
  const value = facts.value === null ? null : metricFigure(data.metric, facts.value);
  return (
    <div
      className={`absolute z-20 rounded-md border border-line-strong bg-raised p-2.5 text-xs shadow-pop ${href ? '' : 'pointer-events-none'}`}
      style={place}
    >
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 break-all">
          {facts.path.length > 1 && facts.path[0] && (
            <span className="text-ink-3">
              {facts.path.slice(0, -1).filter(Boolean).join(' › ')} ›{' '}
            </span>
          )}
          <bdi className="font-mono">{cut(facts.label)}</bdi>
        </p>
        {href && (
          <button
            type="button"
            onClick={props.onClose}
            aria-label={ui('close')}
            className="-m-1 inline-flex size-6 items-center justify-center rounded text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        )}
      </div>
      <p className="mt-1.5 flex items-center gap-2">
        {value !== null && colour ? (
          <span
            className="rounded px-1.5 py-0.5 font-semibold"
            style={{ background: cssColour(colour), color: inkOn(colour) }}
          >
            {t(`units.${data.metric}`, { value })}
          </span>
        ) : (
          <span className="hatched rounded border border-line px-1.5 py-0.5 font-semibold text-ink-2">
            {t('unknownValue')}
          </span>
        )}
      </p>
      <p className="mt-1.5 text-ink-2">
        {t('span', { from: timeLabel(facts.from), to: timeLabel(facts.to) })}
      </p>
      {facts.why && <WhyText why={facts.why} />}
      {href && (
        <PageLink
          href={href}
          className="mt-2 inline-block font-medium text-accent-ink hover:underline"
        >
          {t('openLocks')}
        </PageLink>
      )}
    </div>
  );
}

function WhyText({ why }: { why: WhyUnknown }) {
  const t = useTranslations('heatmap');
  return (
    <p className="mt-1 text-ink-3">
      {why.kind === 'gap'
        ? t('unknownWhy.gap', { reason: t(`gaps.${why.reason}`) })
        : t(`unknownWhy.${why.kind}`)}
    </p>
  );
}

const SHOWN_CHARACTERS = 160;

function cut(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS / 2)}…${text.slice(-SHOWN_CHARACTERS / 2)}`;
}

/** Right of the cell, or left of it where the frame ends. Null when the cell is out of sight. */
function placeTooltip({ data, cell, window, frame }: Props) {
  const { plot } = frame;
  const perMs = plot.width / (window.to - window.from);
  const at = data.columns[cell.column] ?? window.from;
  const left = plot.left + (at - window.from) * perMs;
  const right = left + data.stepMs * perMs;
  const share = (cell.row + 1 - window.rowFrom) / (window.rowTo - window.rowFrom);
  if (right <= plot.left || left >= plot.left + plot.width || share <= 0 || share > 1.5)
    return null;
  const width = Math.min(WIDTH_PX, frame.width - 16);
  const fits = right + 8 + width <= frame.width;
  return {
    left: Math.max(8, Math.min(fits ? right + 8 : left - width - 8, frame.width - width - 8)),
    top: plot.top + Math.min(1, share) * plot.height + 8,
    width,
  };
}
