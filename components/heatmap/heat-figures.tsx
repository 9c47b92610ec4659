'use client';

import { useTranslations } from 'use-intl';
import type { HeatMetric, HeatRow } from '@/lib/protocol/measures';
import type { CellFacts, WhyUnknown } from './heat-cell';
import { changeFigure, metricFigure } from './heat-format';
import { rowText } from './heat-frame';
import type { HeatColours } from './heat-palette';
import { cssColour, inkOn, levelColour } from './heat-palette';
import type { HeatScale } from './heat-scale';
import { levelOf } from './heat-scale';

interface ValueProps {
  metric: HeatMetric;
  facts: CellFacts;
  scale: HeatScale;
  colours: HeatColours;
}

/** The figure of a cell on the colour that the map gives it; with a comparison, what changed. */
export function CellValue({ metric, facts, scale, colours }: ValueProps) {
  const t = useTranslations('heatmap');
  const { value, earlier } = facts;
  const change = isKnown(value) && isKnown(earlier) ? value - earlier : null;
  const shown = scale.kind === 'change' ? change : value;
  const colour = levelColour(levelOf(shown, scale), colours);
  if (shown === null || !colour) {
    return (
      <span className="hatched rounded border border-line px-1.5 py-0.5 font-semibold text-ink-2">
        {scale.kind === 'change' ? t('unknownChange') : t('unknownValue')}
      </span>
    );
  }
  const text =
    scale.kind === 'change'
      ? changeFigure(metric, shown)
      : t(`units.${metric}`, { value: metricFigure(metric, shown) });
  return (
    <span
      className="rounded px-1.5 py-0.5 font-semibold"
      style={{ background: cssColour(colour), color: inkOn(colour) }}
    >
      {text}
    </span>
  );
}

const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined;

/** Both figures of a comparison, in words. */
export function NowAndThen({ metric, facts }: { metric: HeatMetric; facts: CellFacts }) {
  const t = useTranslations('heatmap');
  if (facts.earlier === undefined) return null;
  const figureOf = (value: number | null) =>
    value === null ? t('unknownValue') : metricFigure(metric, value);
  return (
    <span className="text-ink-2">
      {t('nowAndThen', { now: figureOf(facts.value), earlier: figureOf(facts.earlier) })}
    </span>
  );
}

export function WhyText({ why }: { why: WhyUnknown }) {
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

/** Namespace › class › lock, the last part as Redis has it. */
export function RowPath({ row, kind }: { row: HeatRow; kind: HeatRow['kind'] }) {
  const t = useTranslations('heatmap');
  const before = row.path.slice(0, -1).filter(Boolean);
  return (
    <>
      {before.length > 0 && <span className="text-ink-3">{before.map(cut).join(' › ')} › </span>}
      {row.kind === 'others' ? (
        <i>{rowText(row, kind, t)}</i>
      ) : (
        <bdi dir="ltr" className="font-mono">
          {cut(row.label)}
        </bdi>
      )}
    </>
  );
}
