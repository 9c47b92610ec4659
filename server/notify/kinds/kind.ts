import type { Alert } from '@/lib/protocol/alert';
import type { ChannelKind, ChannelSettings } from '@/lib/protocol/notify';
import type { NoticeRecord } from '@/server/notify/notice-record';
import type { Outcome } from '@/server/notify/outcome';

export type SettingsOf<K extends ChannelKind> = Extract<ChannelSettings, { kind: K }>;

/** What is sent as one. */
export interface Outgoing {
  id: string;
  /** More than one only for kinds that join. */
  notices: readonly NoticeRecord[];
  /** Where the console is, for links. */
  publicUrl: string;
  now: number;
  signal: AbortSignal;
}

/** One way to tell. `settings` have their secret in them wherever they are handed in here. */
export interface Kind<K extends ChannelKind> {
  /** Many notices can be one message. */
  joins: boolean;
  /** Where it leads, for a person: nothing secret. */
  destination: (settings: SettingsOf<K>) => string;
  /** What the secret is for: where that changes, the secret must be given anew. */
  boundTo: (settings: SettingsOf<K>) => string;
  send: (settings: SettingsOf<K>, outgoing: Outgoing) => Promise<Outcome>;
  /** For receivers that forget what they are not reminded of. */
  remind?: (
    settings: SettingsOf<K>,
    alerts: readonly Alert[],
    outgoing: Omit<Outgoing, 'id' | 'notices'>,
  ) => Promise<Outcome>;
}
