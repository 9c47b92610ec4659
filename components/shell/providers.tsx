'use client';

import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';
import { IntlErrorCode, IntlProvider, type IntlError } from 'use-intl';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';

/** Theme and language for every page, signed in or not. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      <IntlProvider
        locale={DEFAULT_LOCALE}
        messages={messagesOf[DEFAULT_LOCALE]}
        onError={reportMessageError}
      >
        {children}
      </IntlProvider>
    </ThemeProvider>
  );
}

function reportMessageError(error: IntlError): void {
  // Times are drawn in the browser only, in the reader's own zone: no zone needs to be fixed for the server.
  if (error.code === IntlErrorCode.ENVIRONMENT_FALLBACK) return;
  globalThis.reportError?.(error);
}
