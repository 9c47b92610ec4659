import { alertState, alertSubject, saveActedOn } from './alert-subject';
import { answer, type Verb } from './verb';

/** Says that somebody looks after the alert. Saved before it is answered. */
export const acknowledge: Verb<'alert.acknowledge'> = {
  isAudited: true,
  subject: alertSubject,
  run: async (context, { id, reason }) => {
    const alert = context.alerts.acknowledge(id, context.actor.name, reason, context.now());
    await saveActedOn(context, alert);
    return { after: alertState(alert), finish: answer({ alert }) };
  },
};
