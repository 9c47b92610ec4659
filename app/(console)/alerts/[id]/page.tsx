import type { Metadata } from 'next';
import { Suspense } from 'react';
import { IncidentBoard } from '@/components/alerts/incident/incident-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('incident.title') };

interface Props {
  params: Promise<{ id: string }>;
}

export default async function AlertPage({ params }: Props) {
  const { id } = await params;
  return (
    <Texts of={['incident', 'silences']}>
      <Suspense>
        <IncidentBoard id={decoded(id)} />
      </Suspense>
    </Texts>
  );
}

/** What does not decode is no alert's id, and the page says that there is none. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone `%` is no encoding.
    return segment;
  }
}
