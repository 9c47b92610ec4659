import { describe, expect, it } from 'vitest';
import {
  ALERT_LIMIT,
  alertQuery,
  hasResolved,
  readAlertView,
  SHOWN_STEP,
  shownAlerts,
  shownFirst,
} from '@/components/alerts/alert-filter';
import { sampleAlerts } from '@/components/gallery/incidents';
import { worstFirst } from '@/components/overview/alert-order';

const from = (text: string) => {
  const params = new URLSearchParams(text);
  return readAlertView((name) => params.get(name));
};

describe('the view of alerts', () => {
  it('shows open ones unless the address says otherwise, and ignores what makes no sense', () => {
    expect(from('')).toMatchObject({ show: 'open', severity: null, code: null });
    expect(from('show=everything&severity=loud&code=x')).toEqual(from(''));
    expect(alertQuery(from(''))).toMatchObject({ state: 'open' });
    expect(alertQuery(from('show=all'))).not.toHaveProperty('state');
    expect(alertQuery(from('code=deadlock'))).toMatchObject({ code: 'deadlock' });
  });

  it('looks among all when a link leads to one alert', () => {
    expect(from('alert=a6').show).toBe('all');
  });

  it('puts firing before acknowledged before quiet before resolved', () => {
    const shown = shownAlerts(sampleAlerts(1e12), from('show=all'));
    expect(shown.map((alert) => alert.state)).toEqual([
      'firing',
      'firing',
      'firing',
      'acknowledged',
      'silenced',
      'resolved',
    ]);
    expect(shown[2]?.severity).toBe('warning');
  });

  it('keeps one severity only when asked', () => {
    const shown = shownAlerts(sampleAlerts(1e12), from('show=all&severity=warning'));
    expect(new Set(shown.map((alert) => alert.severity))).toEqual(new Set(['warning']));
  });
});

describe('the open alerts of the overview', () => {
  it('come worst first', () => {
    const severities = worstFirst(sampleAlerts(1e12)).map((alert) => alert.severity);
    expect(severities.indexOf('warning')).toBe(severities.lastIndexOf('critical') + 1);
  });
});

describe('an alert under a dialog', () => {
  const alerts = sampleAlerts(1e12);
  const [open] = alerts;
  if (!open) throw new Error('the gallery has no alerts');

  it('is over when it resolved or left the list of open ones', () => {
    expect(hasResolved(open, alerts)).toBe(false);
    expect(hasResolved(open, [])).toBe(true);
    expect(hasResolved(open, [{ ...open, state: 'resolved' }])).toBe(true);
  });

  it('is not over while nothing is known of it', () => {
    const others = Array.from({ length: ALERT_LIMIT }, (_, n) => ({ ...open, id: `other-${n}` }));
    expect(hasResolved(open, undefined)).toBe(false);
    expect(hasResolved(open, others)).toBe(false);
  });
});

describe('a long list of alerts', () => {
  const [sample] = sampleAlerts(1e12);
  if (!sample) throw new Error('the gallery has no alerts');
  const many = Array.from({ length: 500 }, (_, n) => ({ ...sample, id: `a${n}` }));

  it('is drawn step by step', () => {
    expect(shownFirst(many, 1, null)).toHaveLength(SHOWN_STEP);
    expect(shownFirst(many, 2, null)).toHaveLength(2 * SHOWN_STEP);
    expect(shownFirst(many, 9, null)).toHaveLength(500);
  });

  it('reaches as far as the alert that a link leads to', () => {
    expect(shownFirst(many, 1, 'a321').at(-1)?.id).toBe('a321');
  });
});
