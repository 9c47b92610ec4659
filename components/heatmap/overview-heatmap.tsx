'use client';

import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { MiniHeatmap } from './mini-heatmap';

/** The small heatmap of the overview; shares the overview's own query, so it costs nothing more. */
export function OverviewHeatmap() {
  const t = useTranslations('heatmap');
  const { data } = useLive('overview', {});
  if (!data) return null;
  if (data.heatmap.rows.length === 0) return <p className="text-sm text-ink-3">{t('empty')}</p>;
  return <MiniHeatmap data={data.heatmap} />;
}
