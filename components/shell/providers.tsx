'use client';

import { ThemeProvider } from 'next-themes';
import { useMemo, type ReactNode } from 'react';
import { IntlProvider, type IntlError } from 'use-intl';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';

/**
 * Theme and language for every page, signed in or not. Times are drawn in the browser only, so the zone is
 * the reader's own there, and the server's does not show.
 */
export function Providers({ children }: { children: ReactNode }) {
  const timeZone = useMemo(() => new Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      <IntlProvider
        locale={DEFAULT_LOCALE}
        messages={messagesOf[DEFAULT_LOCALE]}
        timeZone={timeZone}
        onError={reportMessageError}
      >
        {children}
      </IntlProvider>
    </ThemeProvider>
  );
}

function reportMessageError(error: IntlError): void {
  globalThis.reportError?.(error);
}
