'use client';

import { clsx } from 'clsx';
import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';

interface Props {
  text: string;
  label: string;
  copiedLabel: string;
  failedLabel: string;
  className?: string;
}

type Outcome = 'copied' | 'failed' | null;
const SHOWN_MS = 1600;

/** Copies `text`; says for a moment whether it worked (browsers refuse on plain http). */
export function CopyButton({ text, label, copiedLabel, failedLabel, className }: Props) {
  const [outcome, setOutcome] = useState<Outcome>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await writeClipboard(text)) ? 'copied' : 'failed');
  const shown = outcome === 'copied' ? copiedLabel : outcome === 'failed' ? failedLabel : label;
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={shown}
      title={shown}
      className={clsx(
        'inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-sunken hover:text-ink',
        className,
      )}
    >
      {outcome === 'copied' ? (
        <Check size={13} aria-hidden className="text-ok" />
      ) : outcome === 'failed' ? (
        <TriangleAlert size={13} aria-hidden className="text-warning" />
      ) : (
        <Copy size={13} aria-hidden />
      )}
      <output className="sr-only">{outcome === null ? '' : shown}</output>
    </button>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No permission, or no secure context: the button shows that it failed.
    return false;
  }
}
