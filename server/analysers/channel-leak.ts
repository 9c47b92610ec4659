import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { IdleChannel } from '@/lib/protocol/target';
import type { AnalysisSettings } from './analysis-contract';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { clip, targetSubject } from './subject';
import { thresholdForAll } from './thresholds';

const NAMED = 3;

/** How long a channel must be listened to for nothing to be told: ms. */
export const channelIdleMs = (settings: AnalysisSettings): number =>
  thresholdForAll(settings, 'channel-leak');

const namesOf = (channels: readonly IdleChannel[]): string =>
  channels
    .slice(0, NAMED)
    .map(({ channel, subscribers }) => `${clip(channel)} (${subscribers})`)
    .join(', ');

function whoListens({ channelClients, capabilities }: View['target']): Sentence[] {
  if (channelClients && channelClients.length > 0) {
    const named = channelClients
      .slice(0, NAMED)
      .map(({ addr, name, channels }) => `${clip(name ? `${name} ${addr}` : addr)} (${channels})`);
    return [sentence('channel-leak:clients', { clients: named.join(', ') })];
  }
  return capabilities.client ? [] : [sentence('channel-leak:nobody-tells', {})];
}

/** Why a lock of theirs may have been there unseen; nothing where none can have been. */
function doubts({ unwatchedDbs }: View['target'], channels: readonly IdleChannel[]): Sentence[] {
  const areFollowed = channels.every(({ isFollowed }) => isFollowed);
  return [
    ...(areFollowed ? [] : [sentence('channel-leak:sampled', {})]),
    ...(unwatchedDbs.length === 0
      ? []
      : [sentence('channel-leak:other-dbs', { dbs: clip(unwatchedDbs.join(', ')) })]),
  ];
}

function findingOf(channels: readonly IdleChannel[], { target }: View): Finding[] {
  const [longest] = channels;
  if (!longest) return [];
  // The list is cut: where all on it have lasted, so may have others.
  const areAll = channels.length === target.idleChannels?.length;
  const count = areAll ? (target.idleChannelCount ?? channels.length) : channels.length;
  const inDoubt = doubts(target, channels);
  return [
    {
      id: `channel-leak:${target.id}`,
      code: 'channel-leak',
      severity: inDoubt.length > 0 ? 'info' : 'warning',
      subject: targetSubject(target.id),
      summary: [
        sentence('channel-leak:channels', {
          ...{ count, sinceAt: longest.since },
          names: namesOf(channels),
        }),
        ...whoListens(target),
        ...inDoubt,
      ],
      remedy: [sentence('channel-leak:remedy', {})],
      since: longest.since,
      count,
      evidence: inDoubt.length > 0 ? 'inferred' : 'observed',
      moment: false,
    },
  ];
}

/**
 * Channels that clients listen to for a lock that nobody takes: subscriptions that outlived their wait. Without events a
 * lock that is held for a moment cannot be seen, so then nothing new is told.
 */
export const createChannelLeak = (): Analyser => ({
  needs: 'events',
  findings: (view) => {
    const lastsMs = channelIdleMs(view.settings);
    const { idleChannels = [] } = view.target;
    return findingOf(
      idleChannels.filter(({ since }) => view.now - since >= lastsMs),
      view,
    );
  },
});
