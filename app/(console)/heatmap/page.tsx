import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HeatBoard } from '@/components/heatmap/heat-board';
import { TimeMachine } from '@/components/past/time-machine';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('heatmap.title') };

export default function HeatmapPage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['charts', 'heatmap', 'past']}>
      <Suspense>
        <TimeMachine withRange>
          <HeatBoard />
        </TimeMachine>
      </Suspense>
    </Texts>
  );
}
