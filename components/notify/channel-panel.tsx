'use client';

import { BellOff, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { Channel, Route } from '@/lib/protocol/notify';
import { ChannelDialog } from './channel-dialog';
import { ChannelRow } from './channel-row';
import { RemoveChannelDialog } from './remove-channel-dialog';
import { useChannelTests } from './use-channel-tests';
import { useIsAdmin } from './use-is-admin';

interface Props {
  channels: readonly Channel[];
  routes: readonly Route[];
}

/** The channels, each with how it fares and the means to try and to change it. */
export function ChannelPanel({ channels, routes }: Props) {
  const t = useTranslations('notifications');
  const isAdmin = useIsAdmin();
  const { tests, test } = useChannelTests();
  /** `new`, or the channel that is edited. */
  const [editing, setEditing] = useState<Channel | 'new' | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  const presentOf = (edited: Channel | 'new'): Channel | null =>
    channels.find((each) => edited !== 'new' && each.id === edited.id) ?? null;
  const isRouted = ({ id }: Channel): boolean =>
    routes.some((route) => route.channels.includes(id));
  const unrouted = isAdmin ? channels.filter((channel) => !isRouted(channel)) : [];
  const why = isAdmin ? undefined : t('needsAdmin');
  const add = (
    <Button
      icon={<Plus size={13} aria-hidden />}
      disabled={!isAdmin}
      title={why}
      onClick={() => setEditing('new')}
    >
      {t('add')}
    </Button>
  );
  return (
    <Panel title={t('channels')} description={t('channelsHint')} flush actions={add}>
      {channels.length === 0 ? (
        <EmptyState icon={<BellOff size={22} aria-hidden />} title={t('noChannels')}>
          {isAdmin ? t('noChannelsText') : t('noChannelsViewer')}
        </EmptyState>
      ) : (
        <ul>
          {channels.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              test={tests.get(channel.id)}
              onTest={() => void test(channel.id)}
              onEdit={() => setEditing(channel)}
              onRemove={() => setRemoving(channel)}
            />
          ))}
        </ul>
      )}
      {unrouted.length > 0 && (
        <Notice tone="warning" className="m-3" title={t('unrouted')}>
          {t('unroutedText', { names: unrouted.map(({ name }) => name).join(', ') })}
        </Notice>
      )}
      {editing && (
        <ChannelDialog
          channel={editing === 'new' ? null : editing}
          present={presentOf(editing)}
          onSaved={(id, tests) => tests && void test(id)}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && <RemoveChannelDialog channel={removing} onClose={() => setRemoving(null)} />}
    </Panel>
  );
}
