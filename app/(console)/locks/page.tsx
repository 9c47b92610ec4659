import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LocksView } from '@/components/locks/list/locks-view';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('locks.title') };

export default function LocksPage() {
  // What is listed depends on the query string, which only the browser knows.
  return (
    <Suspense>
      <LocksView />
    </Suspense>
  );
}
