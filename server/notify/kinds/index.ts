import type { Alert } from '@/lib/protocol/alert';
import type { ChannelKind, ChannelSettings } from '@/lib/protocol/notify';
import { DELIVERED, type Outcome } from '@/server/notify/outcome';
import { alertmanager } from './alertmanager';
import { email } from './email';
import type { Kind, Outgoing } from './kind';
import { pagerduty } from './pagerduty';
import { slack } from './slack';
import { webhook } from './webhook';

const KINDS: { [K in ChannelKind]: Kind<K> } = { webhook, slack, alertmanager, pagerduty, email };

/** Each kind is paired with its own settings; TypeScript cannot follow that through the table. */
const kindOf = ({ kind }: ChannelSettings): Kind<ChannelKind> => KINDS[kind] as Kind<ChannelKind>;

export const joins = (settings: ChannelSettings): boolean => kindOf(settings).joins;

export const destinationOf = (settings: ChannelSettings): string =>
  kindOf(settings).destination(settings);

export const boundTo = (settings: ChannelSettings): string => kindOf(settings).boundTo(settings);

export const send = (settings: ChannelSettings, outgoing: Outgoing): Promise<Outcome> =>
  kindOf(settings).send(settings, outgoing);

/** Whether the receiver forgets what it is not reminded of. */
export const isReminded = (settings: ChannelSettings): boolean =>
  kindOf(settings).remind !== undefined;

export const remind = async (
  settings: ChannelSettings,
  alerts: readonly Alert[],
  outgoing: Omit<Outgoing, 'id' | 'notices'>,
): Promise<Outcome> => (await kindOf(settings).remind?.(settings, alerts, outgoing)) ?? DELIVERED;
