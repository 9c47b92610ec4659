'use client';

import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Input } from './field';

interface Props {
  label: string;
  placeholder?: string;
  value: string;
  /** Told when typing rests. */
  onChange: (value: string) => void;
  className?: string;
}

/** Long enough not to ask for every letter. */
const SETTLE_MS = 200;

/** Text to search for, which `/` leads to. Follows `value` when that changes elsewhere. */
export function SearchInput({ label, placeholder, value, onChange, className }: Props) {
  const [text, setText] = useState(value);
  // `sent` is what was last told; `value` takes it over a moment later, while typing goes on.
  const [seen, setSeen] = useState({ value, sent: value });
  if (value !== seen.value) {
    const isOurs = value === seen.sent;
    setSeen({ value, sent: isOurs ? seen.sent : value });
    if (!isOurs) setText(value);
  }
  const settle = useEffectEvent((settled: string) => {
    setSeen((before) => ({ ...before, sent: settled }));
    onChange(settled);
  });
  useEffect(() => {
    if (text === seen.sent) return undefined;
    const timer = setTimeout(() => settle(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, seen.sent]);
  return (
    <div className={clsx('relative', className)}>
      <Search
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
      />
      <Input
        data-search
        type="text"
        inputMode="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7! pl-8"
      />
    </div>
  );
}
