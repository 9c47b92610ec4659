import type { Metadata } from 'next';
import { Suspense } from 'react';
import { DeadlockBoard } from '@/components/graph/deadlock-board';
import { PastDeadlocks } from '@/components/graph/past-deadlocks';
import { MomentNotices } from '@/components/past/moment-notices';
import { TimeMachine } from '@/components/past/time-machine';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('deadlocks.title') };

export default function DeadlocksPage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['deadlocks', 'past']}>
      <Suspense>
        <TimeMachine
          past={
            <>
              <MomentNotices />
              <PastDeadlocks />
            </>
          }
        >
          <DeadlockBoard />
        </TimeMachine>
      </Suspense>
    </Texts>
  );
}
