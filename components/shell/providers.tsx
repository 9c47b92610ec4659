'use client';

import { ThemeProvider } from 'next-themes';
import { useMemo, type ReactNode } from 'react';
import { IntlProvider, type IntlError } from 'use-intl';
import type { Locale } from '@/lib/messages';

/**
 * Theme and language for every page, signed in or not; `Texts` gives it what to say. Times are drawn in the
 * browser only, so the zone is the reader's own there, and the server's does not show.
 */
export function Providers({ locale, children }: { locale: Locale; children: ReactNode }) {
  const timeZone = useMemo(() => new Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      <IntlProvider locale={locale} messages={{}} timeZone={timeZone} onError={reportMessageError}>
        {children}
      </IntlProvider>
    </ThemeProvider>
  );
}

function reportMessageError(error: IntlError): void {
  globalThis.reportError?.(error);
}
