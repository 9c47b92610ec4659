'use client';

import { History } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { readMoment, useUrlParams } from '@/components/hooks';
import { isPlainKey } from '@/components/hooks/key-events';
import { LiveContext, useLiveContext } from '@/components/live/live-context';
import { Button } from '@/components/ui/button';
import { InPageSlot } from '@/components/ui/page-slots';
import { stoppedAt } from '@/lib/live/tick-clock';
import type { LockParams } from '@/lib/protocol/queries';
import { HoldSteps } from './hold-steps';
import { PastBand } from './past-band';
import { rangeEndingAt } from './scrub-window';
import { TimeBar } from './time-bar';

interface Props {
  /** What takes the page's place while a moment of the past is shown; left out = the page itself shows it. */
  past?: ReactNode;
  /** Of which lock the page is: one can step from hold to hold. */
  lock?: LockParams;
  /** The page shows a range of time: it ends at the moment. */
  withRange?: boolean;
  children: ReactNode;
}

/**
 * A page that can be looked at as it was at any moment that is kept. The moment is `at` in the address and nothing
 * else, so that a link leads there and Back leaves.
 */
export function TimeMachine({ past, lock, withRange = false, children }: Props) {
  const t = useTranslations('past');
  const { at, goTo, toNow } = useTravel(withRange);
  const [isOpen, setIsOpen] = useState(false);
  useEscape(at !== null, toNow);
  return (
    <>
      <InPageSlot name="tools">
        <Button
          look="ghost"
          aria-expanded={isOpen || at !== null}
          disabled={at !== null}
          title={t('openTitle')}
          icon={<History size={14} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className="max-sm:sr-only">{t('open')}</span>
        </Button>
      </InPageSlot>
      {(isOpen || at !== null) && (
        <InPageSlot name="bar">
          <section
            aria-label={t('title')}
            className={at === null ? undefined : 'on-past-paper'}
            data-past={at ?? undefined}
          >
            {at !== null && <PastBand at={at} onPresent={toNow} />}
            <TimeBar
              at={at}
              goTo={goTo}
              toNow={toNow}
              steps={lock && at !== null && <HoldSteps lock={lock} at={at} onMoment={goTo} />}
              onClose={() => setIsOpen(false)}
            />
          </section>
        </InPageSlot>
      )}
      <div className={at === null ? 'contents' : 'on-past-paper min-h-full bg-bg'}>
        {at !== null && past ? <AsOf at={at}>{past}</AsOf> : children}
      </div>
    </>
  );
}

function useTravel(withRange: boolean) {
  const { get, set } = useUrlParams();
  const at = readMoment(get('at'));
  const goTo = (to: number, how: 'push' | 'replace' = 'push'): void =>
    set({ at: Math.round(to), ...(withRange && rangeEndingAt(get, to)) }, how);
  const toNow = (): void => set({ at: null, ...(withRange && { from: null, to: null }) });
  return { at, goTo, toNow };
}

function useEscape(isActive: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && (isPlainKey(event) || isOnScrubber(event))) escape();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);
}

/** Nothing is typed into it, so that Escape there means the page. */
const isOnScrubber = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'range';

/** Whatever counts time below it stands still at that moment. */
function AsOf({ at, children }: { at: number; children: ReactNode }) {
  const live = useLiveContext();
  const stopped = useMemo(() => ({ ...live, clock: stoppedAt(at) }), [live, at]);
  return <LiveContext value={stopped}>{children}</LiveContext>;
}
