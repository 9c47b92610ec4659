import { knownTarget } from '@/server/queries/lock-address';
import { answer, type Verb } from './verb';

/** Has Redis tell of all its commands for some seconds. It sees every namespace. */
export const traceStart: Verb<'trace.start'> = {
  isAudited: true,
  subject: () => ({ db: null, key: null, namespaces: 'all', before: null }),
  run: async (context, { target, seconds, reason }) => {
    knownTarget(context, target);
    const { id, endsAt } = await context.traces.start({
      seconds,
      actor: context.actor.name,
      reason: reason || null,
    });
    return { after: { id, seconds, endsAt }, finish: answer({ id }) };
  },
};
