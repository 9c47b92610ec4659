import '@fontsource-variable/geist';
import '@fontsource-variable/geist-mono';
import './globals.css';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { Texts } from '@/components/texts/texts';
import { DEFAULT_LOCALE, translator } from '@/lib/messages';

const product = translator()('shell.product');

export const metadata: Metadata = {
  title: { default: product, template: `%s · ${product}` },
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8f8fa' },
    { media: '(prefers-color-scheme: dark)', color: '#0d0e12' },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  // The theme class is set on <html> by a script before React runs.
  return (
    <html lang={DEFAULT_LOCALE} suppressHydrationWarning>
      <body>
        <Providers locale={DEFAULT_LOCALE}>
          <Texts of={['shell', 'ui']}>{children}</Texts>
        </Providers>
      </body>
    </html>
  );
}
