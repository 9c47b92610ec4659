'use client';

import { Dialog as Base } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  closeLabel: string;
  width?: 'sm' | 'md' | 'lg';
  /** Where focus goes first; the first control otherwise. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Back to what opened the dialog; to the heading of the page where that is gone or switched off. */
function useFinalFocus(): () => HTMLElement | boolean {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    opener.current = document.activeElement;
  }, []);
  return () => {
    const { current } = opener;
    if (current?.isConnected && current !== document.body && !current.matches(':disabled')) {
      return true;
    }
    return document.querySelector<HTMLElement>('main h1') ?? true;
  };
}

const WIDTH = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl' };

/** A modal dialog. Escape, the close button and a press outside close it and do nothing else. */
export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, closeLabel, width = 'md' } = props;
  const { initialFocus, footer, children } = props;
  const finalFocus = useFinalFocus();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.1_0.02_265/0.5)]" />
        <Base.Popup
          initialFocus={initialFocus}
          finalFocus={finalFocus}
          className={clsx(
            'fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-xl border border-line-strong bg-surface text-ink shadow-pop outline-none',
            'sm:top-[max(1.5rem,7dvh)] sm:bottom-auto sm:max-h-[86dvh] sm:w-[calc(100%-3rem)] sm:rounded-xl',
            WIDTH[width],
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-sm text-ink-2">
                  {description}
                </Base.Description>
              )}
            </div>
            <Base.Close
              aria-label={closeLabel}
              className="-mr-1 inline-flex size-7 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X size={15} aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3.5">{children}</div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line bg-sunken px-4 py-2.5 sm:rounded-b-xl">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
