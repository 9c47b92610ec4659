import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SilencesBoard } from '@/components/alerts/silences/silences-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('silences.title') };

export default function SilencesPage() {
  return (
    <Texts of={['silences']}>
      <Suspense>
        <SilencesBoard />
      </Suspense>
    </Texts>
  );
}
