import type { Metadata } from 'next';
import { Suspense } from 'react';
import { BlameBoard } from '@/components/blame/blame-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('blame.title') };

export default function BlamePage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['blame', 'charts']}>
      <Suspense>
        <BlameBoard />
      </Suspense>
    </Texts>
  );
}
