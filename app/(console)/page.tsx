import type { Metadata } from 'next';
import { OverviewHeatmap } from '@/components/heatmap/overview-heatmap';
import { OverviewBoard } from '@/components/overview/overview-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('overview.title') };

export default function OverviewPage() {
  return <OverviewBoard heatmap={<OverviewHeatmap />} />;
}
