'use client';

import { useTranslations } from 'use-intl';
import type { CellFacts } from './heat-cell';
import { metricFigure, timeLabel } from './heat-format';
import { rowText } from './heat-frame';
import type { HeatPicture } from './heat-picture';

interface Props {
  picture: HeatPicture;
  facts: CellFacts | null;
}

/** The cell under the cursor, for those who hear it. */
export function HeatAnnouncement({ picture, facts }: Props) {
  const t = useTranslations('heatmap');
  if (!facts) return <output className="sr-only" />;
  const { metric } = picture.data;
  const figureOf = (value: number | null) =>
    value === null ? t('unknownValue') : metricFigure(metric, value);
  const path = [...facts.row.path.slice(0, -1), rowText(facts.row, picture.rowKind, t)];
  const value =
    facts.value === null
      ? t('unknownValue')
      : t(`units.${metric}`, { value: metricFigure(metric, facts.value) });
  return (
    <output className="sr-only">
      {t('announce', {
        path: path.filter(Boolean).join(' › '),
        time: timeLabel(facts.from),
        value,
      })}
      {facts.earlier !== undefined && ` ${t('announceThen', { earlier: figureOf(facts.earlier) })}`}
    </output>
  );
}
