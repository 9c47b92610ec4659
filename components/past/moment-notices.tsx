'use client';

import { useLive, useMoment } from '@/components/hooks';
import { useLiveContext } from '@/components/live/live-context';
import { PageBody } from '@/components/ui/page-body';
import { PastNotices } from './past-notices';

/** Why less is known of the moment, above a page whose own answer does not tell. */
export function MomentNotices() {
  const { at } = useMoment();
  const { store } = useLiveContext();
  const { data } = useLive('history', {});
  if (at === null || !data) return null;
  const gap = data.gaps.find(({ from, to }) => from <= at && (to === null || at < to)) ?? null;
  // The page's own clock stands still at the moment.
  const moment = { at: Math.min(at, store.serverNow()), gap, keptFrom: data.holds.from };
  return (
    <PageBody>
      <PastNotices asked={at} moment={moment} />
    </PageBody>
  );
}
