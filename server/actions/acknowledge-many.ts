import { said } from '@/lib/messages/in-english';
import type { AcknowledgeManyResult } from '@/lib/protocol/alert-actions';
import { isCodedError } from '@/lib/protocol/errors';
import { outcomeOf } from './audit-trail';
import { answer, type Request, type Verb } from './verb';

type ItemResult = AcknowledgeManyResult['results'][number];

/**
 * Acknowledges the listed alerts one after the other, each through `alert.acknowledge` with its own permission and audit
 * entries. One that is refused does not stop the rest.
 */
export const acknowledgeMany: Verb<'alert.acknowledge-many'> = {
  isAudited: true,
  subject: (_context, { ids }) => ({
    db: null,
    key: null,
    namespaces: [],
    before: { items: ids.length },
  }),
  run: async (_context, { ids, reason }, request) => {
    const results: ItemResult[] = [];
    for (const [i, id] of [...new Set(ids)].entries()) {
      results.push(await acknowledgeOne(request, { id, reason }, `${request.id}/${i}`));
    }
    const counts = { acknowledged: 0, refused: 0, failed: 0 };
    for (const { outcome } of results) counts[outcome]++;
    return { after: counts, finish: answer({ results }) };
  },
};

async function acknowledgeOne(
  request: Request,
  input: { id: string; reason: string },
  requestId: string,
): Promise<ItemResult> {
  const { id } = input;
  try {
    await request.act('alert.acknowledge', input, requestId);
    return { id, outcome: 'acknowledged', code: null, message: null };
  } catch (error) {
    const outcome = outcomeOf(error).outcome === 'refused' ? 'refused' : 'failed';
    const code = isCodedError(error) ? error.code : 'INTERNAL';
    const why = isCodedError(error)
      ? { text: error.message, sentences: error.sentences }
      : said('acknowledge:failed', {});
    return { id, outcome, code, message: why.text, sentences: why.sentences };
  }
}
