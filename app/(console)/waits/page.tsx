import type { Metadata } from 'next';
import { Suspense } from 'react';
import { WaitsBoard } from '@/components/waits/waits-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('waits.title') };

export default function WaitsPage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['charts', 'waits']}>
      <Suspense>
        <WaitsBoard />
      </Suspense>
    </Texts>
  );
}
