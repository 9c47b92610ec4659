import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { BlameHeadline } from '@/components/blame/blame-headline';
import { sampleBlame } from '@/components/gallery/blame';
import type { TimeRange } from '@/components/charts/time-range';
import { en } from '@/lib/messages/en';
import type { Blame } from '@/lib/protocol/measures';

const NOW = Date.UTC(2026, 0, 15, 12);
const LIVE: TimeRange = { name: '5m', fixed: null };

function said(range: TimeRange, more: Partial<Blame> = {}): string {
  const markup = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <BlameHeadline data={{ ...sampleBlame(NOW), ...more }} range={range} />
    </IntlProvider>,
  );
  return markup.replaceAll(/<[^>]*>/g, '');
}

describe('the sentence of blame', () => {
  it('names who cost the others the most, and where it runs', () => {
    expect(said(LIVE)).toMatch(/order-7 on 10\.1\.2\.3 cost others \d+ s in the last 5 min/);
  });

  it('speaks of no time that was not watched', () => {
    const text = said(LIVE, { from: NOW - 60_000 });
    expect(text).toContain('since 11:59:00; nothing is known of before');
    expect(text).not.toContain('in the last');
  });

  it('speaks of the times that were chosen', () => {
    expect(said({ name: '5m', fixed: { from: 1, to: 2 } })).toContain('in this time');
  });

  it('blames nobody where no holder is known', () => {
    const leaves = sampleBlame(NOW).leaves.filter(({ cause }) => cause !== 'holder');
    expect(said(LIVE, { leaves })).not.toContain('cost others');
  });
});
