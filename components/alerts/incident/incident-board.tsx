'use client';

import { useLive } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { PageBody } from '@/components/ui/page-body';
import { IncidentMissing } from './incident-missing';
import { IncidentView } from './incident-view';

/** One alert with its whole story. `id` as it stands in the address. */
export function IncidentBoard({ id }: { id: string }) {
  const answer = useLive('alert', { id });
  const isMissing = answer.data === undefined && answer.error?.code === 'NOT_FOUND';
  return (
    <PageBody>
      {isMissing ? (
        <IncidentMissing />
      ) : (
        <LiveData snapshot={answer}>{(detail) => <IncidentView detail={detail} />}</LiveData>
      )}
    </PageBody>
  );
}
