import type { AlertCode } from '@/lib/protocol/alert';

/** The place on the targets page of the list that an alert tells the longest of. */
export const IDLE_CHANNELS_ID = 'idle-channels';

/** Where the targets page tells more of what an alert is about. */
export const targetHref = ({ code }: { code: AlertCode }): string =>
  code === 'channel-leak' ? `/targets#${IDLE_CHANNELS_ID}` : '/targets';
