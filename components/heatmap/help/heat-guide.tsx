'use client';

import { useTranslations } from 'use-intl';
import type { HeatColours } from '@/components/heatmap/heat-palette';
import { colourAt, cssColour } from '@/components/heatmap/heat-palette';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { PATTERNS, PATTERN_SIZE, patternCells, type PatternName } from './heat-patterns';

const KEYS = ['arrows', 'enter', 'plus', 'backspace', 'r'] as const;

/** What to look for on the map, and how to move on it. */
export function HeatGuide({ colours, onClose }: { colours: HeatColours; onClose: () => void }) {
  const t = useTranslations('heatmap.help');
  const ui = useTranslations('ui');
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      closeLabel={ui('close')}
      width="lg"
    >
      <ul className="grid gap-4 sm:grid-cols-2">
        {PATTERNS.map((name) => (
          <li key={name} className="flex flex-col gap-1.5">
            <Drawing name={name} colours={colours} />
            <h3 className="text-sm font-semibold">{t(`patterns.${name}.name`)}</h3>
            <p className="text-sm text-ink-2">{t(`patterns.${name}.meaning`)}</p>
            <p className="text-sm text-ink-2">{t(`patterns.${name}.remedy`)}</p>
          </li>
        ))}
      </ul>
      <h3 className="mt-4 mb-1.5 text-sm font-semibold">{t('keysTitle')}</h3>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        {KEYS.map((name) => (
          <div key={name} className="contents">
            <dt>
              <Kbd>{t(`keys.${name}.key`)}</Kbd>
            </dt>
            <dd>{t(`keys.${name}.does`)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-2">{t('pointer')}</p>
    </Dialog>
  );
}

function Drawing({ name, colours }: { name: PatternName; colours: HeatColours }) {
  const { rows, columns } = PATTERN_SIZE;
  const look = { ...colours, kind: 'heat', brightness: 0 } as const;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      className="h-20 w-full rounded border border-line"
    >
      {patternCells(name).flatMap((line, row) =>
        line.map((heat, column) => (
          <rect
            key={`${row}-${column}`}
            x={column}
            y={row}
            width={1.02}
            height={1.02}
            fill={cssColour(colourAt(look, heat))}
          />
        )),
      )}
    </svg>
  );
}
