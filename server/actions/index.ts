import { ACTIONS, type ActionName } from '@/lib/protocol/actions';
import { acknowledge } from './acknowledge';
import { acknowledgeMany } from './acknowledge-many';
import { advicePublish } from './advice-publish';
import { dropWaiter } from './drop-waiter';
import { formatDiscover, formatDiscoverStop } from './format-discover';
import { formatPin, formatUnpin } from './format-pin';
import { notifyRemoveChannel, notifySaveChannel, notifyTest } from './notify-channel';
import { notifySaveRoutes } from './notify-routes';
import { orderIntend } from './order-intend';
import { orderUnintend } from './order-unintend';
import { removeMember } from './remove-member';
import { release } from './release';
import { releaseMany } from './release-many';
import { releasePreview } from './release-preview';
import { ruleReset } from './rule-reset';
import { ruleSave } from './rule-save';
import { silence } from './silence';
import { silenceAdd, silenceEnd } from './silences';
import { traceStart } from './trace-start';
import { traceStop } from './trace-stop';
import type { Verb } from './verb';
import { wake } from './wake';

/** One verb for each action; its input and role are in `lib/protocol/actions.ts`. */
export const VERBS: { [N in ActionName]: Verb<N> } = {
  'lock.release': release,
  'lock.release-preview': releasePreview,
  'lock.release-many': releaseMany,
  'lock.drop-waiter': dropWaiter,
  'lock.wake': wake,
  'lock.remove-member': removeMember,
  'alert.acknowledge': acknowledge,
  'alert.silence': silence,
  'alert.acknowledge-many': acknowledgeMany,
  'rule.save': ruleSave,
  'rule.reset': ruleReset,
  'silence.add': silenceAdd,
  'silence.end': silenceEnd,
  'order.intend': orderIntend,
  'order.unintend': orderUnintend,
  'trace.start': traceStart,
  'trace.stop': traceStop,
  'advice.publish': advicePublish,
  'format.pin': formatPin,
  'format.unpin': formatUnpin,
  'format.discover': formatDiscover,
  'format.discover-stop': formatDiscoverStop,
  'notify.save-channel': notifySaveChannel,
  'notify.remove-channel': notifyRemoveChannel,
  'notify.save-routes': notifySaveRoutes,
  'notify.test': notifyTest,
};

export const isActionName = (name: string): name is ActionName => Object.hasOwn(ACTIONS, name);
