import type { Alert } from '@/lib/protocol/alert';
import type { ChannelSettings } from '@/lib/protocol/notify';
import type { AlertBook } from '@/server/alerts/alerts-contract';
import type { Lane } from './lane';
import type { Ledger } from './ledger';
import type { Messenger } from './messenger';

const EVERY_MS = 60_000;

/** For receivers that take an alert for resolved when they have not heard of it for a while. */
export function createReminders(options: {
  alerts: Pick<AlertBook, 'open'>;
  ledger: Ledger;
  messenger: Messenger;
  now: () => number;
}) {
  const { alerts, ledger, messenger, now } = options;
  const remindedAt = new Map<string, number>();

  /** The open alerts that the channel was told of, as they are now: silenced or acknowledged, they still are. */
  const toldOf = (channel: string): Alert[] =>
    alerts.open().filter(({ id, state }) => {
      if (state === 'pending') return false;
      const last = ledger.ofAlert(id).findLast((notice) => notice.channel === channel);
      return last !== undefined && last.event !== 'resolved' && last.deliveredAt !== null;
    });

  return {
    /** Reminds the channel when it is time and nothing else is being sent to it. */
    turn: (channel: string, lane: Lane, open: () => ChannelSettings | null): void => {
      const at = now();
      if (at - (remindedAt.get(channel) ?? -Infinity) < EVERY_MS) return;
      const told = toldOf(channel);
      const settings = told.length === 0 ? null : open();
      if (!settings) return;
      if (lane.beside(() => messenger.remind(settings, told))) remindedAt.set(channel, at);
    },
  };
}
