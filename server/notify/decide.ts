import type { Alert } from '@/lib/protocol/alert';
import type { ChannelKind } from '@/lib/protocol/notify';
import { isPending, isUnseen, newNotice, type NoticeRecord } from './notice-record';
import type { Routing } from './routing';

export interface Decision {
  add: NoticeRecord[];
  /** Nobody was told yet, and there is nothing left to tell. */
  withdraw: NoticeRecord[];
}

export interface DecideOptions {
  target: string;
  channels: readonly { id: string; name: string; kind: ChannelKind }[];
  channelsFor: Routing;
  now: number;
}

/**
 * What is to be told of an alert as it is, by channel. What is pending, silenced, acknowledged or in doubt
 * raises no notice.
 *
 * | the alert | the channel's last notice | what follows |
 * |---|---|---|
 * | fires | none | firing |
 * | fires | resolved, not sent | that one is withdrawn: it never ended for the channel |
 * | fires | resolved | firing, for another time |
 * | acknowledged | firing | acknowledged, where the kind knows such a thing |
 * | acknowledged, silenced | firing, not sent | it is withdrawn |
 * | resolved | firing, not sent | it is withdrawn: both are dropped |
 * | resolved | firing, given up unseen | nothing |
 * | resolved | firing, acknowledged | resolved, where the route says so |
 *
 * `past`: all notices of the alert, oldest first.
 */
export function decide(
  alert: Alert,
  past: readonly NoticeRecord[],
  options: DecideOptions,
): Decision {
  const { target, channels, channelsFor, now } = options;
  const { told, toldOfEnd } = channelsFor(alert);
  // Also where it became less severe since: who was told that it fires must hear that it does not.
  const hearsOfEnd = (channel: string): boolean => {
    const as = firedOf(past, channel)?.alert;
    return toldOfEnd.has(channel) || (!!as && channelsFor(as).toldOfEnd.has(channel));
  };
  const decision: Decision = { add: [], withdraw: [] };
  for (const channel of channels) {
    const last = past.findLast((notice) => notice.channel === channel.id);
    const add = (event: NoticeRecord['event'], since: number): void =>
      void decision.add.push(newNotice({ target, channel, event, since, alert, now }));
    const withdraws = last !== undefined && isPending(last) && isUnseen(last);
    if (alert.state === 'firing') {
      if (alert.doubtful || !told.has(channel.id)) continue;
      if (!last) add('firing', alert.since);
      else if (last.event === 'resolved' && withdraws) decision.withdraw.push(last);
      else if (last.event === 'resolved') add('firing', last.since);
      continue;
    }
    if (!last || last.event === 'resolved') continue;
    if (alert.state === 'resolved') {
      if (last.event === 'firing' && withdraws) decision.withdraw.push(last);
      else if (wasTold(past, channel.id) && hearsOfEnd(channel.id)) {
        if (withdraws) decision.withdraw.push(last);
        add('resolved', alert.resolvedAt ?? now);
      }
    } else if (last.event === 'firing' && withdraws) decision.withdraw.push(last);
    else if (alert.state === 'acknowledged' && last.event === 'firing') {
      if (channel.kind === 'pagerduty' && wasTold(past, channel.id)) {
        add('acknowledged', alert.acknowledgedAt ?? alert.updatedAt);
      }
    }
  }
  return decision;
}

const firedOf = (past: readonly NoticeRecord[], channel: string): NoticeRecord | undefined =>
  past.findLast((notice) => notice.channel === channel && notice.event === 'firing');

/** Whether the last time it fired reached the channel, or may have, or still will. */
function wasTold(past: readonly NoticeRecord[], channel: string): boolean {
  const fired = firedOf(past, channel);
  return fired !== undefined && (isPending(fired) || !isUnseen(fired));
}
