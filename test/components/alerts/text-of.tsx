import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { SampleLive } from '@/components/gallery/sample-live';
import { en } from '@/lib/messages/en';

/** What a reader reads of it, in English and UTC. */
export const textOf = (node: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role: 'admin', version: '1' }}>
        {node}
      </SampleLive>
    </IntlProvider>,
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
