'use client';

import { useTranslations } from 'use-intl';
import type { ChannelClient, IdleChannel } from '@/lib/protocol/target';
import { ClockTime } from '@/components/labels';

interface Props {
  /** The longest. */
  channels: readonly IdleChannel[];
  /** All of them. */
  count: number;
  /** Who may listen to them. */
  clients: readonly ChannelClient[];
}

/** Channels that clients listen to although nobody has held their lock for long: subscriptions left over. */
export function IdleChannels({ channels, count, clients }: Props) {
  const t = useTranslations('targets');
  const left = count - channels.length;
  return (
    <div className="flex flex-col gap-3 text-sm">
      <ul className="flex flex-col gap-1.5">
        {channels.map(({ channel, subscribers, since, isFollowed }) => (
          <li key={channel} className="flex min-w-0 flex-wrap gap-x-2">
            <code className="min-w-0 font-mono text-xs break-all">{channel}</code>
            <span className="text-ink-2">
              {t('idleChannels.subscribers', { count: subscribers })}
            </span>
            <span className="text-ink-3">
              {t('idleChannels.since')} <ClockTime at={since} />
            </span>
            {!isFollowed && <span className="text-ink-3">{t('idleChannels.sampled')}</span>}
          </li>
        ))}
        {left > 0 && <li className="text-ink-3">{t('idleChannels.more', { count: left })}</li>}
      </ul>
      {clients.length > 0 && (
        <div className="min-w-0 text-ink-2">
          <p>{t('idleChannels.clients')}</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5">
            {clients.map(({ addr, name, channels: listensTo }) => (
              <li key={addr} className="min-w-0">
                <code className="font-mono text-xs break-all">
                  {name === '' ? addr : `${name} ${addr}`}
                </code>{' '}
                {listensTo}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
