import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { orderSubject, orSayWhoMeant } from './order-subject';
import { answer, type Verb } from './verb';

/** Takes back that these orders are meant, whether or not they contradict each other now. */
export const orderUnintend: Verb<'order.unintend'> = {
  isAudited: true,
  subject: orderSubject,
  run: async (context, { id, version }) => {
    const { orders } = context.analysis;
    const was = await orSayWhoMeant(context, { id, version }, async () => {
      const intended = orders.intended(id);
      if (!intended) throw new CodedError('NOT_FOUND', said('not-found:intended', { id }));
      await context.intendedOrders.unintend(id);
      return intended;
    });
    const deadlock = orders.predicted().find((each) => each.id === id) ?? null;
    return {
      after: { id, intended: null },
      finish: answer({ outcome: 'unintended', was, deadlock } as const),
    };
  },
};
