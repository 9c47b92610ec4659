import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SilencesBoard } from '@/components/alerts/silences/silences-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('alerts.silences.title') };

export default function SilencesPage() {
  return (
    <Suspense>
      <SilencesBoard />
    </Suspense>
  );
}
