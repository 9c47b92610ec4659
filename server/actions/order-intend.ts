import { orderSubject, orSayWhoMeant, presentOrder } from './order-subject';
import { answer, type Verb } from './verb';

/** Says that these orders are meant: they raise no alert from now on. Saved before it counts. */
export const orderIntend: Verb<'order.intend'> = {
  isAudited: true,
  subject: orderSubject,
  run: async (context, { id, version, reason }) => {
    presentOrder(context, id);
    const intended = { actor: context.actor.name, reason, at: context.now() };
    await orSayWhoMeant(context, { id, version }, () =>
      context.intendedOrders.intend(id, intended),
    );
    const deadlock = presentOrder(context, id);
    const after = { id, classes: deadlock.classes, intended };
    return { after, finish: answer({ outcome: 'intended', deadlock } as const) };
  },
};
