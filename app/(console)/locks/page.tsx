import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LocksView } from '@/components/locks/list/locks-view';
import { PastLocks } from '@/components/past/past-locks';
import { TimeMachine } from '@/components/past/time-machine';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('locks.title') };

export default function LocksPage() {
  // What is listed depends on the query string, which only the browser knows.
  return (
    <Texts of={['locks', 'past', 'release']}>
      <Suspense>
        <TimeMachine past={<PastLocks />}>
          <LocksView />
        </TimeMachine>
      </Suspense>
    </Texts>
  );
}
