import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AdviceBoard } from '@/components/advice/advice-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('advice.title') };

export default function AdvicePage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['advice', 'charts']}>
      <Suspense>
        <AdviceBoard />
      </Suspense>
    </Texts>
  );
}
