'use client';

import { useLive, useMoment } from '@/components/hooks';
import { useLiveContext } from '@/components/live/live-context';
import { isWholeKnown, PastNotices } from './past-notices';

/** Why less is known of the moment, above a page whose own answer does not tell. */
export function MomentNotices() {
  const { at } = useMoment();
  const { store } = useLiveContext();
  const { data } = useLive('history', {});
  if (at === null || !data) return null;
  const gap = data.gaps.find(({ from, to }) => from <= at && (to === null || at < to)) ?? null;
  // The page's own clock stands still at the moment.
  const moment = { at: Math.min(at, store.serverNow()), gap, keptFrom: data.holds.from };
  if (isWholeKnown(moment) && at <= moment.at) return null;
  return (
    <div className="mx-auto flex max-w-[88rem] flex-col gap-3 px-3 pt-3 md:px-4 md:pt-4">
      <PastNotices asked={at} moment={moment} />
    </div>
  );
}
