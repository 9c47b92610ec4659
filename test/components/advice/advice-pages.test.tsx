import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { Checks } from '@/components/advice/configuration-advice';
import { Timeouts } from '@/components/advice/timeout-advice';
import { SampleLive } from '@/components/gallery/sample-live';
import {
  manyTimeouts,
  noTimeouts,
  sampleConfiguration,
  sampleTimeouts,
} from '@/components/gallery/timeouts';
import type { Role } from '@/lib/protocol/actions';
import { TimeoutsPage } from '@/lib/protocol/advice';
import { TIMEOUT_RULES } from '@/lib/protocol/closed-sets';
import { en } from '@/lib/messages/en';

const NOW = Date.UTC(2026, 10, 30, 14);

const html = (element: ReactNode, role: Role = 'admin'): string =>
  renderToStaticMarkup(
    <IntlProvider
      locale="en"
      messages={en}
      timeZone="UTC"
      onError={(error) => {
        throw error;
      }}
    >
      <SampleLive queries={{}} actions={{}} session={{ name: 'a', role, version: '1' }}>
        {element}
      </SampleLive>
    </IntlProvider>,
  );

const text = (element: ReactNode, role?: Role): string =>
  html(element, role)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('timeouts', () => {
  const page = sampleTimeouts(NOW);

  it('have samples of every rule, as the server would answer', () => {
    expect(TimeoutsPage.parse(page)).toEqual(page);
    expect(new Set(page.items.map(({ rule }) => rule))).toEqual(new Set(TIMEOUT_RULES));
  });

  it('say what they rest on, and how sure they are', () => {
    const said = text(<Timeouts page={page} />);
    expect(said).toContain(
      '7 of 7 days watched. Jitter of the network 1.4 ms: p99 1.7 ms less p50 0.3 ms of 600 round trips',
    );
    expect(said).toContain('p99 at least 10 s');
    expect(said).toContain(
      '61 holds of 402 before 13:58:00 lasted longer than the p99 of the week',
    );
    expect(said).toContain('stays held for 1 m on average; 1.6 s with the advice');
    expect(said).toContain('with a lock timeout of 30 s it should be 45 s or more');
    expect(said).toContain('1 lease published from here is recommended no more');
    for (const because of Object.values(en.advice.timeouts.because))
      expect(said).toContain(because);
  });

  it('are published by admins alone, and others are told so', () => {
    expect(html(<Timeouts page={page} />)).not.toContain(en.advice.timeouts.publishNeedsAdmin);
    const shown = html(<Timeouts page={page} />, 'operator');
    expect(shown).toContain(en.advice.timeouts.publishNeedsAdmin);
    expect(shown.match(/<button[^>]*disabled[^>]*>/g)).toHaveLength(1);
    expect(shown).not.toContain(`>${en.advice.timeouts.publish}<`);
  });

  it('say when nothing can be recommended, what cannot be read, and what is left out', () => {
    const none = text(<Timeouts page={noTimeouts(NOW)} />);
    expect(none).toContain(en.advice.timeouts.short);
    expect(none).toContain('The jitter of the network is not measured yet');
    const many = text(<Timeouts page={manyTimeouts(NOW)} />);
    expect(many).toContain('Redis cannot be reached, so it is not known what is published.');
    expect(many).toContain('381 classes more');
  });
});

describe('the configuration', () => {
  it('counts what is wrong, unknown and fine, and gives each its command', () => {
    const said = text(<Checks page={sampleConfiguration(NOW)} />);
    expect(said).toContain('3 are wrong, 1 unknown, 1 fine. Checked 14:00:00 .');
    expect(said).toContain('maxmemory_policy = volatile-lru');
    expect(said).toContain('redis-cli -h 10.0.0.7 -p 6379 CONFIG SET maxmemory-policy noeviction');
    expect(said).toContain(en.advice.configuration.ask);
  });
});
