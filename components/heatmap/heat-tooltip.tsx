'use client';

import type { CSSProperties } from 'react';
import { useTranslations } from 'use-intl';
import type { CellFacts } from './heat-cell';
import { CellValue, NowAndThen, RowPath, WhyText } from './heat-figures';
import { spanLabels } from './heat-format';
import type { HeatColours } from './heat-palette';
import type { HeatPicture } from './heat-picture';
import type { LabelBlock } from './heat-tree';
import { blockText } from './heat-frame';

export const TOOLTIP_SIZE = { width: 264, height: 110 };

const BOX =
  'pointer-events-none absolute z-20 rounded-md border border-line-strong bg-raised p-2.5 text-xs shadow-pop';

interface Props {
  facts: CellFacts;
  picture: HeatPicture;
  colours: HeatColours;
  place: CSSProperties;
}

/** What one cell says, beside it while the pointer is over it. */
export function HeatTooltip({ facts, picture, colours, place }: Props) {
  const t = useTranslations('heatmap');
  const { metric, columns } = picture.data;
  const [from, to] = spanLabels(facts, columns.at(-1) ?? facts.to);
  return (
    <div className={BOX} style={place}>
      <p className="min-w-0 break-all">
        <RowPath row={facts.row} kind={picture.rowKind} />
      </p>
      <p className="mt-1.5 flex flex-wrap items-center gap-2">
        <CellValue metric={metric} facts={facts} scale={picture.scale} colours={colours} />
        <NowAndThen metric={metric} facts={facts} />
      </p>
      <p className="mt-1.5 text-ink-2">{t('span', { from, to })}</p>
      {facts.why && <WhyText why={facts.why} />}
    </div>
  );
}

interface LabelProps {
  block: LabelBlock;
  kind: HeatPicture['rowKind'];
  /** What a press on it does. */
  does: 'drillDown' | 'openLocks' | null;
  place: CSSProperties;
}

/** A label in full, beside it: at the left of the map there is seldom room for all of it. */
export function LabelTooltip({ block, kind, does, place }: LabelProps) {
  const t = useTranslations('heatmap');
  const before = block.path.slice(0, -1).filter(Boolean);
  return (
    <div className={`${BOX} max-w-80`} style={place}>
      <p className="break-all">
        {before.length > 0 && <span className="text-ink-3">{before.join(' › ')} › </span>}
        <bdi dir="ltr" className="font-medium">
          {blockText(block, kind, t)}
        </bdi>
      </p>
      {block.to - block.from > 1 && (
        <p className="mt-1 text-ink-2">{t('blockRows', { count: block.to - block.from })}</p>
      )}
      {does && <p className="mt-1 text-ink-3">{t(`press.${does}`)}</p>}
    </div>
  );
}
