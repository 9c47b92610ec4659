import type { ReactNode } from 'react';

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[1.125rem] min-w-[1.125rem] items-center justify-center rounded border border-line-strong bg-sunken px-1 font-mono text-2xs text-ink-2">
      {children}
    </kbd>
  );
}
