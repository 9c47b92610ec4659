'use client';

import { useEffect, useEffectEvent } from 'react';
import { isPlainKey } from '@/components/hooks/key-events';

export type AlertKey =
  | 'next'
  | 'previous'
  | 'choose'
  | 'reach'
  | 'acknowledge'
  | 'silence'
  | 'expand'
  | 'clear';

const KEYS: Readonly<Record<string, AlertKey>> = {
  j: 'next',
  k: 'previous',
  x: 'choose',
  X: 'reach',
  a: 'acknowledge',
  s: 'silence',
  e: 'expand',
  Escape: 'clear',
};

/** The keys of the list of alerts. Enter is the browser's own: the link of the row has the focus. */
export function useAlertKeys(onKey: (key: AlertKey) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = KEYS[event.key];
      if (key === undefined || !isPlainKey(event)) return;
      event.preventDefault();
      press(key);
    };
    // After the frame's own, which hears on the document: the second key of "g a" is no key of the list.
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
