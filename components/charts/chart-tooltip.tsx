import type { ReactNode } from 'react';

/** The box that follows the pointer over a chart. */
export function ChartTooltip({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-ink shadow-pop">
      <p className="font-medium">{title}</p>
      <div className="mt-0.5 text-ink-2">{children}</div>
    </div>
  );
}
