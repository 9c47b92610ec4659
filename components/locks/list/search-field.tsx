'use client';

import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Input } from '@/components/ui/field';
import { Kbd } from '@/components/ui/kbd';

interface Props {
  value: string;
  onChange: (value: string) => void;
}

/** Long enough not to ask for every letter, short enough to feel like typing into the list. */
const SETTLE_MS = 150;

export function SearchField({ value, onChange }: Props) {
  const t = useTranslations('locks');
  const [text, setText] = useState(value);
  // `sent` is what we last asked for; the URL takes it over a moment later, while typing goes on.
  const [seen, setSeen] = useState({ value, sent: value });
  const field = useRef<HTMLInputElement>(null);
  if (value !== seen.value) {
    const isOurs = value === seen.sent;
    setSeen({ value, sent: isOurs ? seen.sent : value });
    // Changed from elsewhere: the button that clears all filters, the browser's back.
    if (!isOurs) setText(value);
  }
  useEffect(() => {
    if (text === seen.sent) return undefined;
    const timer = setTimeout(() => {
      setSeen((before) => ({ ...before, sent: text }));
      onChange(text);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, seen.sent, onChange]);
  useEffect(() => {
    if (window.location.hash === '#search') field.current?.focus();
  }, []);
  return (
    <div className="relative min-w-40 flex-1 sm:max-w-80">
      <Search
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
      />
      <Input
        ref={field}
        data-search
        type="text"
        inputMode="search"
        aria-label={t('search')}
        placeholder={t('searchPlaceholder')}
        title={t('searchHint')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          event.currentTarget.blur();
        }}
        className="h-7! pr-8 pl-8"
      />
      <span className="absolute top-1/2 right-1.5 flex -translate-y-1/2">
        {text ? (
          <button
            type="button"
            aria-label={t('clearSearch')}
            onClick={() => setText('')}
            className="rounded p-0.5 text-ink-3 hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        ) : (
          <span aria-hidden className="max-sm:hidden">
            <Kbd>/</Kbd>
          </span>
        )}
      </span>
    </div>
  );
}
