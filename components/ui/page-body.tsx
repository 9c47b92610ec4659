import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface Props {
  /** Uses the whole width: for what is the clearer the wider it is. */
  wide?: boolean;
  children: ReactNode;
}

/** The parts of a page one below the other, with its margins. */
export function PageBody({ wide = false, children }: Props) {
  return (
    <div
      className={clsx(
        'mx-auto flex w-full min-w-0 flex-col gap-3 p-3 md:p-4',
        !wide && 'max-w-[88rem]',
      )}
    >
      {children}
    </div>
  );
}
