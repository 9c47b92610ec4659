'use client';

import { useTranslations } from 'use-intl';
import { EvidenceMark } from '@/components/labels';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { ExportButtons } from './export/export-buttons';
import type { HeatImage } from './export/heat-image';
import type { Earlier } from './heat-compare';
import { spanLabels } from './heat-format';
import type { HeatColours } from './heat-palette';
import type { HeatView, Span } from './heat-params';
import type { HeatPicture } from './heat-picture';
import { HeatHelp } from './help/heat-help';
import { exactAddress } from './use-heat-address';
import type { HeatLook } from './use-heat-ink';

interface Props {
  picture: HeatPicture;
  query: HeatmapParams;
  earlier: Earlier | null;
  view: HeatView;
  time: Span;
  colours: HeatColours;
  look: HeatLook | null;
}

/** What the figure means and how well it is known, help, and the ways to take the map along. */
export function HeatHeader({ picture, query, earlier, view, time, colours, look }: Props) {
  const t = useTranslations('heatmap');
  const { data } = picture;
  const image = (): HeatImage | null => {
    if (!look) return null;
    // A picture is looked at on other days: its times always carry theirs.
    const [from, to] = spanLabels(time, 0);
    const rows = view.rowSpan ?? { from: 0, to: Math.max(1, data.rows.length) };
    return {
      picture,
      window: { ...time, rowFrom: rows.from, rowTo: rows.to },
      colours,
      ink: look.ink,
      title: t('imageTitle', { metric: t(`metrics.${data.metric}`) }),
      subtitle: [
        t('span', { from, to }),
        t('blockRows', { count: data.rows.length }),
        ...[view.namespace, view.class].filter((part) => part !== null && part !== ''),
        earlier ? t(`earlierTitle.${earlier}`) : t(`metricMeanings.${data.metric}`),
      ].join(' · '),
      t,
    };
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 text-xs text-ink-2">
      <EvidenceMark evidence={data.evidence} named />
      <p className="min-w-0 flex-1 basis-72">
        {earlier && <strong className="font-medium">{t(`earlierTitle.${earlier}`)} </strong>}
        {t(`metricMeanings.${data.metric}`)}
      </p>
      <div className="flex items-center gap-0.5">
        <ExportButtons data={data} query={query} image={image} address={exactAddress(view, time)} />
        <HeatHelp colours={colours} />
      </div>
    </div>
  );
}
