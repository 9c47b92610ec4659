import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { ChannelSettings, TestOutcome } from '@/lib/protocol/notify';
import type { Store } from '@/server/store/store-contract';
import type { StoredChannel } from './channel-book';
import type { Messenger } from './messenger';
import { newNotice, rowOf } from './notice-record';
import { failed, type Outcome } from './outcome';

export interface Trial {
  store: Pick<Store, 'saveNotices'>;
  messenger: Pick<Messenger, 'send'>;
  target: string;
  channel: StoredChannel;
  /** With their secret; null = it cannot be opened. */
  settings: ChannelSettings | null;
  now: () => number;
}

/** Sends one message at once and keeps how that went. */
export async function tryChannel(trial: Trial): Promise<{ outcome: Outcome; told: TestOutcome }> {
  const { store, messenger, target, channel, settings, now } = trial;
  const startedAt = now();
  const notice = newNotice({
    ...{ target, channel, event: 'test', since: startedAt, alert: null, now: startedAt },
  });
  const outcome = settings
    ? await messenger.send(settings, { id: notice.id, notices: [notice] })
    : failed(sentence('notify:sealed', {}));
  const isDelivered = outcome.kind === 'delivered';
  const tookMs = now() - startedAt;
  const why =
    outcome.kind === 'delivered'
      ? sentence('notify:delivered', { destination: channel.destination, tookMs })
      : outcome.why;
  const error = isDelivered ? null : inEnglish([why]);
  const deliveredAt = isDelivered ? now() : null;
  const tried = { ...notice, attempts: 1, nextAt: null, deliveredAt, error };
  await store.saveNotices([rowOf(tried)]);
  const told = { delivered: isDelivered, message: inEnglish([why]), sentences: [why] };
  return { outcome, told };
}
