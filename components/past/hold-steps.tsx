'use client';

import { StepBack, StepForward } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import type { PastHold } from '@/lib/protocol/lock';
import type { LockParams } from '@/lib/protocol/queries';

interface Props {
  lock: LockParams;
  at: number;
  onMoment: (at: number) => void;
}

/** From hold to hold of one lock: each at its first moment. */
export function HoldSteps({ lock, at, onMoment }: Props) {
  const t = useTranslations('past');
  const { data, state } = useLive('past-lock', { ...lock, at });
  // What is still on the way is of the moment before: stepping by it would go back and forth.
  const steps = state === 'loading' ? undefined : data;
  const goTo = (hold: PastHold | null | undefined) => ({
    // Not switched off, or the focus would leave whoever steps by keyboard.
    'aria-disabled': !hold,
    onClick: () => hold && onMoment(hold.start),
  });
  return (
    <div className="flex items-center gap-1.5">
      <Button icon={<StepBack size={12} aria-hidden />} {...goTo(steps?.before)}>
        {t('previousHold')}
      </Button>
      <Button icon={<StepForward size={12} aria-hidden />} {...goTo(steps?.after)}>
        {t('nextHold')}
      </Button>
    </div>
  );
}
