import type { QueryContext } from '@/server/queries/query-context';
import type { Channel } from '@/lib/protocol/notify';
import { CHANNEL, ROUTES } from '@/server/notify/channel-book';
import { isAbout, type EditedDocument } from './changed-meanwhile';
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

/** What is changed when a channel is. */
export const channelDocument = ({ notifier }: QueryContext, id: string): EditedDocument => ({
  ...{ kind: CHANNEL, id, followed: notifier.followed },
  isChange: ({ action, before, after }) =>
    (action === 'notify.save-channel' || action === 'notify.remove-channel') &&
    isAbout({ id }, after ?? before),
});

/** What is changed when routes are; without a channel those change that led to it. */
export const routesDocument = ({ notifier }: QueryContext): EditedDocument => ({
  ...{ kind: ROUTES, id: ROUTES, followed: notifier.followed },
  isChange: ({ action }) => action === 'notify.save-routes' || action === 'notify.remove-channel',
});
