import { keepIntended } from '@/server/store/order-keeper';
import { orderSubject, presentOrder, requireUnchanged } from './order-subject';
import { answer, type Verb } from './verb';

/** Says that these orders are meant: they raise no alert from now on. Saved before it counts. */
export const orderIntend: Verb<'order.intend'> = {
  isAudited: true,
  subject: orderSubject,
  run: async (context, { id, version, reason }) => {
    presentOrder(context, id);
    requireUnchanged(context, id, version);
    const intended = { actor: context.actor.name, reason, at: context.now() };
    await keepIntended({ store: context.store, target: context.targetId }, id, intended);
    context.analysis.orders.intend(id, intended);
    const deadlock = presentOrder(context, id);
    const after = { id, classes: deadlock.classes, intended };
    return { after, finish: answer({ outcome: 'intended', deadlock } as const) };
  },
};
