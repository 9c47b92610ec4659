import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { sampleAlerts } from '@/components/gallery/incidents';
import { AlertMarks } from '@/components/labels/alert-marks';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';

function marksAfter(returns: number): string {
  const [alert] = sampleAlerts(0);
  if (!alert) throw new Error('there is no sample of an alert');
  return renderToStaticMarkup(
    <IntlProvider locale={DEFAULT_LOCALE} messages={messagesOf[DEFAULT_LOCALE]} timeZone="UTC">
      <AlertMarks alert={{ ...alert, flaps: returns, doubtful: null, keptUntil: null }} />
    </IntlProvider>,
  );
}

it('an alert that came back a few times is not called flapping, nor said to be kept open', () => {
  expect(marksAfter(3)).toContain('returned ×3');
  expect(marksAfter(3)).not.toContain('stays open');
  expect(marksAfter(4)).toContain('flapping ×4');
  expect(marksAfter(4)).toContain('It stays open until it is calm.');
});
