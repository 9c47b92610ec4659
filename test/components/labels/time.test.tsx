import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { SampleLive } from '@/components/gallery/sample-live';
import {
  ClockTime,
  Countdown,
  DurationText,
  Elapsed,
  TimeAgo,
  useClockText,
  useCountdownText,
  useDurationText,
  useExactTimeText,
} from '@/components/labels/time';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';
import { LAST_MOMENT } from '@/lib/protocol/time';

const NOW = 1_800_000_000_000;
const ODD = [
  NaN,
  Infinity,
  -Infinity,
  LAST_MOMENT + 1,
  -LAST_MOMENT - 1,
  1e300,
  -1,
  0,
  LAST_MOMENT,
];

const text = (element: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider
      locale={DEFAULT_LOCALE}
      messages={messagesOf[DEFAULT_LOCALE]}
      timeZone="UTC"
      onError={(error) => {
        throw error;
      }}
    >
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role: 'viewer', version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  ).replace(/<[^>]*>/g, '');

function Clock({ at }: { at: number }) {
  return useClockText()(at, NOW);
}
function Exact({ at }: { at: number }) {
  return useExactTimeText()(at);
}
function Left({ ms }: { ms: number }) {
  return useCountdownText()(ms);
}
function Duration({ ms }: { ms: number }) {
  return useDurationText()(ms);
}

describe('a time', () => {
  it('may be any number', () => {
    for (const at of ODD) {
      text(<ClockTime at={at} />);
      text(<TimeAgo at={at} />);
      text(<Elapsed since={at} />);
      text(<Countdown deadline={at} />);
      text(<DurationText ms={at} />);
      const said = [text(<Clock at={at} />), text(<Exact at={at} />), text(<Left ms={at} />)];
      for (const each of said) {
        expect(each).not.toMatch(/NaN|Infinity|Invalid/);
        expect(each).not.toBe('');
      }
    }
  });

  it('that no calendar reaches is never, and one that is no number is not known', () => {
    expect(text(<Clock at={LAST_MOMENT + 1} />)).toBe('never');
    expect(text(<Exact at={Infinity} />)).toBe('never');
    expect(text(<Clock at={NaN} />)).toBe('?');
  });

  it('far away is told with its year', () => {
    expect(text(<Clock at={NOW + 1000} />)).toBe('08:00:01');
    expect(text(<Clock at={NOW + 400 * 86_400_000} />)).toContain('2028');
  });
});

describe('a duration', () => {
  it('of centuries is told as what it is for all practical purposes', () => {
    expect(text(<Left ms={9_007_199_254_740_991} />)).toBe('in practice never');
    expect(text(<Duration ms={9_007_199_254_740_991} />)).toBe('over 100 years');
    expect(text(<Duration ms={NaN} />)).toBe('?');
    expect(text(<Left ms={-3000} />)).toBe('over by 3 s');
  });
});
