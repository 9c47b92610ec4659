import { randomUUID } from 'node:crypto';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import type { Matcher, Silence } from '@/lib/protocol/rules';
import { compileMatcher, fitsEverything } from '@/lib/analysis/alert-matcher';
import { SILENCE_KIND, type SilenceDocument } from '@/server/alerts/silences';
import type { QueryContext } from '@/server/queries/query-context';
import { answer, type Subject, type Verb } from './verb';
import { requireUntil } from './silence';

const MOST_SILENCES = 1000;

/** A pattern fits namespaces that are not there yet as well. */
const namespacesOf = ({ namespace }: Matcher): Subject['namespaces'] =>
  typeof namespace === 'string' ? [namespace] : 'all';

/** As it is told: `matching` counts those that it fits, before the next judgement silences them. */
function toSilence({ alerts }: QueryContext, document: SilenceDocument): Silence {
  const fits = compileMatcher(document.matcher);
  return { ...document, matching: alerts.open().filter(fits).length };
}

/** Keeps all alerts quiet that fit, those that come too. Saved before it counts. */
export const silenceAdd: Verb<'silence.add'> = {
  isAudited: true,
  subject: (_context, { matcher }) => ({
    db: null,
    key: null,
    namespaces: namespacesOf(matcher),
    before: null,
  }),
  run: async (context, { matcher, untilMs, reason }) => {
    const now = context.now();
    requireUntil(untilMs, now);
    if (fitsEverything(matcher)) {
      throw new CodedError('INVALID_INPUT', said('matcher:empty', {}), { field: 'matcher' });
    }
    await dropOver(context, now);
    if (context.silences.size >= MOST_SILENCES) {
      throw new CodedError('TOO_MANY', said('alerts:too-many', { most: MOST_SILENCES }));
    }
    const silence: SilenceDocument = {
      ...{ id: randomUUID(), matcher, since: now, until: untilMs },
      ...{ actor: context.actor.name, reason },
    };
    await context.store.saveDocument({ kind: SILENCE_KIND, id: silence.id, value: silence });
    context.silences.add(silence);
    return { after: silence, finish: answer({ silence: toSilence(context, silence) }) };
  },
};

/** Alerts that it keeps quiet fire again. */
export const silenceEnd: Verb<'silence.end'> = {
  isAudited: true,
  subject: ({ silences }, { id }) => {
    const silence = silences.get(id);
    return {
      db: null,
      key: null,
      namespaces: silence ? namespacesOf(silence.matcher) : [],
      before: silence ?? { id },
    };
  },
  run: async (context, { id }) => {
    const now = context.now();
    const silence = context.silences.get(id);
    if (!silence || silence.until <= now) {
      throw new CodedError('NOT_FOUND', said('not-found:silence', {}), { id });
    }
    const ended = { ...silence, until: now };
    await context.store.removeDocument(SILENCE_KIND, id);
    context.silences.end(id);
    return { after: null, finish: answer({ silence: toSilence(context, ended) }) };
  },
};

/** What is over is needed no more, neither here nor in the store. */
async function dropOver({ silences, store }: QueryContext, now: number): Promise<void> {
  for (const id of silences.dropOver(now)) await store.removeDocument(SILENCE_KIND, id);
}
