'use client';

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface Props {
  content: ReactNode;
  /** One element that can take focus and a ref. */
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A short explanation on hover and focus. Never the only home of something a person must know. */
export function Tooltip({ content, children, side = 'top' }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={250} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className="max-w-80 rounded-md border border-line-strong bg-raised px-2 py-1 text-xs break-words text-ink shadow-pop">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
