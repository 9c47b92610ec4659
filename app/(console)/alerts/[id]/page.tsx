import type { Metadata } from 'next';
import { Suspense } from 'react';
import { IncidentBoard } from '@/components/alerts/incident/incident-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('alerts.incident.title') };

interface Props {
  params: Promise<{ id: string }>;
}

export default async function AlertPage({ params }: Props) {
  const { id } = await params;
  return (
    <Suspense>
      <IncidentBoard id={decoded(id)} />
    </Suspense>
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
