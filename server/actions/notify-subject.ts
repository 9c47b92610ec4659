import type { QueryContext } from '@/server/queries/query-context';
import type { Channel } from '@/lib/protocol/notify';
import type { Subject } from './verb';

/** Of a channel, what may stand in the audit: nothing by which it could be used. */
export const channelState = ({ id, name, kind, destination, hasSecret }: Channel) => ({
  ...{ id, name, kind, destination, hasSecret },
});

/** Channels tell of alerts of any namespace. */
export function channelSubject(
  { notifier }: QueryContext,
  { id }: { id?: string | undefined },
): Subject {
  const channel = notifier.channels().find((each) => each.id === id);
  const before = channel ? channelState(channel) : null;
  return { db: null, key: null, namespaces: 'all', before };
}
