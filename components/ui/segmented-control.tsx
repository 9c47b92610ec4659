'use client';

import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface Props<V extends string> {
  label: string;
  /** Null = none of them. */
  value: V | null;
  options: readonly { value: V; label: ReactNode; count?: number | undefined }[];
  onChange: (value: V) => void;
  className?: string;
}

/** One choice out of a few, all in sight. A group of toggle buttons: each is reached by Tab. */
export function SegmentedControl<V extends string>(props: Props<V>) {
  const { label, value, options, onChange, className } = props;
  return (
    <fieldset
      aria-label={label}
      className={clsx(
        'inline-flex max-w-full min-w-0 overflow-x-auto rounded-md border border-line bg-sunken p-0.5',
        className,
      )}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'inline-flex h-6 items-center gap-1.5 rounded px-2 text-xs font-medium whitespace-nowrap focus-visible:-outline-offset-1',
            option.value === value
              ? 'bg-raised text-ink shadow-[0_0_0_1px_var(--line-strong)]'
              : 'text-ink-2 hover:text-ink',
          )}
        >
          {option.label}
          {option.count !== undefined && <span className="text-ink-3">{option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
