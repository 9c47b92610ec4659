import type { Metadata } from 'next';
import { OverviewHeatmap } from '@/components/heatmap/overview-heatmap';
import { OverviewBoard } from '@/components/overview/overview-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('overview.title') };

export default function OverviewPage() {
  return (
    <Texts of={['charts', 'heatmap', 'overview']}>
      <OverviewBoard heatmap={<OverviewHeatmap />} />
    </Texts>
  );
}
