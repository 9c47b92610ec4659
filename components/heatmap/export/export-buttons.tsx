'use client';

import { FileSpreadsheet, ImageDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { heatData, type HeatData } from '@/components/heatmap/heat-data';
import { CopyButton } from '@/components/ui/copy-button';
import { download, downloadCsv } from '@/components/ui/download';
import { IconButton } from '@/components/ui/icon-button';
import { errorBodyOf } from '@/lib/protocol/errors';
import type { Heatmap } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { heatCsv } from './heat-csv';
import type { HeatImage } from './heat-image';
import { drawImage } from './heat-image';

interface Props {
  data: HeatData;
  /** What the map asks, for figures to the last digit where it has packed ones. */
  query: HeatmapParams;
  /** Null until the page's colours are known. */
  image: () => HeatImage | null;
  /** The address of exactly this view; without the origin. */
  address: string;
}

/** Takes the map along: as a link, as a picture, as a table. */
export function ExportButtons({ data, query, image, address }: Props) {
  const t = useTranslations('heatmap');
  const ui = useTranslations('ui');
  const [failure, setFailure] = useState<string | null>(null);
  const file = fileName(data);

  const saveImage = () => {
    const what = image();
    if (!what) return;
    const canvas = document.createElement('canvas');
    drawImage(canvas, what);
    canvas.toBlob((blob) => {
      if (blob) download(`${file}.png`, blob);
      else setFailure(t('imageFailed'));
    }, 'image/png');
  };
  const saveTable = async () => {
    setFailure(null);
    try {
      downloadCsv(`${file}.csv`, heatCsv(await exactData(data, query)));
    } catch (error) {
      setFailure(t('tableFailed', { why: error instanceof Error ? error.message : String(error) }));
    }
  };
  return (
    <span className="flex items-center gap-0.5">
      {failure && (
        <span role="alert" className="text-xs text-critical">
          {failure}
        </span>
      )}
      <CopyButton
        text={typeof window === 'undefined' ? address : `${window.location.origin}${address}`}
        label={t('copyLink')}
        copiedLabel={ui('copied')}
        failedLabel={ui('copyFailed')}
      />
      <IconButton
        label={t('savePng')}
        icon={<ImageDown size={14} aria-hidden />}
        onClick={saveImage}
      />
      <IconButton
        label={t('saveCsv')}
        icon={<FileSpreadsheet size={14} aria-hidden />}
        onClick={() => void saveTable()}
      />
    </span>
  );
}

function fileName({ metric, columns }: HeatData): string {
  const from = new Date(columns[0] ?? 0).toISOString().slice(0, 16).replaceAll(':', '-');
  return `lockscope-heatmap-${metric}-${from}`;
}

/** The same map with its figures as the server has them. */
async function exactData(data: HeatData, query: HeatmapParams): Promise<HeatData> {
  if (data.isExact) return data;
  const { packed: _, ...rest } = query;
  const params = Object.entries({
    ...rest,
    from: data.columns[0],
    to: (data.columns.at(-1) ?? 0) + data.stepMs,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const answer = await fetch(`/api/v1/heatmap?${new URLSearchParams(params).toString()}`, {
    headers: { accept: 'application/json' },
  });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(errorBodyOf(body)?.error.message ?? answer.statusText);
  return heatData(asHeatmap(body));
}

/** The console's own answer, whose schema would load its library on every page. */
const asHeatmap = (body: unknown): Heatmap => body as Heatmap;
