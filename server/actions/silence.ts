import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { alertState, alertSubject, saveActedOn } from './alert-subject';
import { answer, type Verb } from './verb';

/** What nobody looks at for longer is forgotten and not silenced. */
const LONGEST_MS = 30 * 86_400_000;

/** Throws INVALID_INPUT. */
export function requireUntil(untilMs: number, now: number): void {
  if (untilMs > now && untilMs <= now + LONGEST_MS) return;
  throw new CodedError('INVALID_INPUT', said('invalid:until', {}), { field: 'untilMs' });
}

/** Keeps the alert quiet until `untilMs` (epoch ms), one hour by default. Saved before it is answered. */
export const silence: Verb<'alert.silence'> = {
  isAudited: true,
  subject: alertSubject,
  run: async (context, { id, reason, untilMs }) => {
    const now = context.now();
    if (untilMs !== undefined) requireUntil(untilMs, now);
    const alert = context.alerts.silence(id, context.actor.name, reason, untilMs, now);
    await saveActedOn(context, alert);
    return { after: alertState(alert), finish: answer({ alert }) };
  },
};
