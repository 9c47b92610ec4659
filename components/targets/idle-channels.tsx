'use client';

import { useTranslations } from 'use-intl';
import type { IdleChannel } from '@/lib/protocol/target';
import { ClockTime } from '@/components/labels';

/** Channels that clients listen to although nobody has held their lock for long: subscriptions left over. */
export function IdleChannels({ channels }: { channels: readonly IdleChannel[] }) {
  const t = useTranslations('targets');
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {channels.map(({ channel, subscribers, since }) => (
        <li key={channel} className="flex min-w-0 flex-wrap gap-x-2">
          <code className="min-w-0 font-mono text-xs break-all">{channel}</code>
          <span className="text-ink-2">
            {t('idleChannels.subscribers', { count: subscribers })}
          </span>
          <span className="text-ink-3">
            {t('idleChannels.since')} <ClockTime at={since} />
          </span>
        </li>
      ))}
    </ul>
  );
}
