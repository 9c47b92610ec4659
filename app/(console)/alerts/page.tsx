import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AlertBoard } from '@/components/alerts/list/alert-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('alerts.title') };

export default function AlertsPage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Suspense>
      <AlertBoard />
    </Suspense>
  );
}
