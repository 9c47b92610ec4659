import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** Fades what is still of the moment before, where the answer for the new one takes its time. */
export function Settling({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  return (
    <div className={clsx('min-w-0', isBusy && 'opacity-40 transition-opacity delay-150')}>
      {children}
    </div>
  );
}
