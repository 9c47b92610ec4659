import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { dropIntended } from '@/server/store/order-keeper';
import { orderSubject, requireUnchanged } from './order-subject';
import { answer, type Verb } from './verb';

/** Takes back that these orders are meant, whether or not they contradict each other now. */
export const orderUnintend: Verb<'order.unintend'> = {
  isAudited: true,
  subject: orderSubject,
  run: async (context, { id, version }) => {
    const { orders } = context.analysis;
    const was = orders.intended(id);
    if (!was) throw new CodedError('NOT_FOUND', said('not-found:intended', { id }));
    requireUnchanged(context, id, version);
    await dropIntended({ store: context.store, target: context.targetId }, id);
    orders.unintend(id);
    const deadlock = orders.predicted().find((each) => each.id === id) ?? null;
    return {
      after: { id, intended: null },
      finish: answer({ outcome: 'unintended', was, deadlock } as const),
    };
  },
};
