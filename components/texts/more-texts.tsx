'use client';

import { useMemo, type ReactNode } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';
import type { Messages } from '@/lib/messages';

/** Adds sections to those that are known outside. */
export function MoreTexts({ texts, children }: { texts: Partial<Messages>; children: ReactNode }) {
  const locale = useLocale();
  const known = useMessages();
  const messages = useMemo(() => ({ ...known, ...texts }), [known, texts]);
  return (
    <IntlProvider locale={locale} messages={messages}>
      {children}
    </IntlProvider>
  );
}
