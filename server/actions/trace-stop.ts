import { answer, type Verb } from './verb';

/** Ends a trace before its time. */
export const traceStop: Verb<'trace.stop'> = {
  isAudited: true,
  subject: (_context, { id }) => ({ db: null, key: null, namespaces: 'all', before: { id } }),
  run: async (context, { id }) => {
    const summary = context.traces.end(id, context.actor.name);
    const { state, endedAt } = summary;
    return { after: { id, state, endedAt }, finish: answer(summary) };
  },
};
