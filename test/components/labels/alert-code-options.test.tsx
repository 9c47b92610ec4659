import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { useAlertCodeOptions } from '@/components/labels';
import { en } from '@/lib/messages/en';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';

function Names() {
  return useAlertCodeOptions()
    .map(([, name]) => name)
    .join('|');
}

describe('the kinds of alerts to choose from', () => {
  it('are all there, by name', () => {
    const names = renderToStaticMarkup(
      <IntlProvider locale="en" messages={en} timeZone="UTC">
        <Names />
      </IntlProvider>,
    ).split('|');
    expect(names).toHaveLength(ALERT_CODES.length);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    expect(names[0]).toBe('Attached to a replica');
  });
});
