import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { WhatToDo } from '@/components/alerts/incident/incident-facts';
import { sampleAlerts } from '@/components/gallery/incidents';
import { en } from '@/lib/messages/en';
import type { Alert } from '@/lib/protocol/alert';

it('an alert that is over tells what was advised, and not what to do now', () => {
  const [alert] = sampleAlerts(1e12);
  if (!alert) throw new Error('the gallery has an alert');
  const told = (state: Alert['state']): string =>
    renderToStaticMarkup(
      <IntlProvider locale="en" messages={en} timeZone="UTC">
        <WhatToDo alert={{ ...alert, state }} />
      </IntlProvider>,
    );
  expect(told('firing')).toContain('What to do');
  expect(told('acknowledged')).toContain('What to do');
  expect(told('resolved')).toContain('What was advised');
});
