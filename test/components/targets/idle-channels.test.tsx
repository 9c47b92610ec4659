import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { SampleLive } from '@/components/gallery/sample-live';
import { targetHref } from '@/components/labels';
import { IdleChannels } from '@/components/targets/idle-channels';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';
import type { IdleChannel } from '@/lib/protocol/target';

const NOW = Date.UTC(2026, 0, 15, 12);

const words = (element: ReactNode): string =>
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
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const channel = (name: string, isFollowed = true): IdleChannel => ({
  ...{ channel: `redisson_lock__channel:{${name}}`, subscribers: 2, since: NOW - 3_600_000 },
  isFollowed,
});

it('channels that are listened to for nothing are listed with who may listen, and how many more there are', () => {
  const clients = [
    { addr: '10.0.0.5:4711', name: 'orders', channels: 7 },
    { addr: '10.0.0.6:4712', name: '', channels: 1 },
  ];
  const text = words(
    <IdleChannels channels={[channel('a'), channel('b', false)]} count={14} clients={clients} />,
  );
  expect(text).toContain('redisson_lock__channel:{a} 2 clients');
  expect(text.match(/every few seconds only/g)).toHaveLength(1);
  expect(text).toContain('12 more channels');
  expect(text).toContain('orders 10.0.0.5:4711 7');
  expect(text).toContain('10.0.0.6:4712 1');
  const alone = words(<IdleChannels channels={[channel('a')]} count={1} clients={[]} />);
  expect(alone).not.toMatch(/more|to which/);
});

it('their alert leads to the list, others about a Redis to the page', () => {
  expect(targetHref({ code: 'channel-leak' })).toBe('/targets#idle-channels');
  expect(targetHref({ code: 'blind' })).toBe('/targets');
});
