import { said } from '@/lib/messages/in-english';
import type { ReleaseManyInput, ReleaseManyResult } from '@/lib/protocol/actions';
import { isCodedError } from '@/lib/protocol/errors';
import { outcomeOf } from './audit-trail';
import type { Request, Verb } from './verb';

type ItemResult = ReleaseManyResult['results'][number];

/**
 * Releases the listed holds one after the other, each through `lock.release` with its own permission,
 * comparison and audit entries. One that is refused does not stop the rest.
 */
export const releaseMany: Verb<'lock.release-many'> = {
  isAudited: true,
  subject: (_context, { items }) => ({
    db: null,
    key: null,
    namespaces: [],
    before: { items: items.length },
  }),
  run: async (_context, { items, reason }, request) => {
    const results: ItemResult[] = [];
    const watching: Promise<unknown>[] = [];
    for (const [i, listed] of items.entries()) {
      const item = await releaseOne(request, { ...listed, reason }, `${request.id}/${i}`);
      results.push(item.result);
      watching.push(item.finished);
    }
    return {
      after: countOutcomes(results),
      finish: async () => {
        // What follows a release is watched for all at once: a few seconds, not a few for each.
        await Promise.all(watching);
        return { results };
      },
    };
  },
};

async function releaseOne(
  request: Request,
  input: ReleaseManyInput['items'][number] & { reason: string },
  id: string,
): Promise<{ result: ItemResult; finished: Promise<unknown> }> {
  const { keyB64, db } = input;
  try {
    const done = await request.act('lock.release', input, id);
    const result: ItemResult = { keyB64, db, outcome: 'released', code: null, message: null };
    return { result, finished: Promise.allSettled([done.finish()]) };
  } catch (error) {
    const outcome = outcomeOf(error).outcome === 'refused' ? 'refused' : 'failed';
    const code = isCodedError(error) ? error.code : 'INTERNAL';
    const why = isCodedError(error)
      ? { text: error.message, sentences: error.sentences }
      : said('release:failed', {});
    const result: ItemResult = {
      keyB64,
      db,
      outcome,
      code,
      message: why.text,
      sentences: why.sentences,
    };
    return { result, finished: Promise.resolve() };
  }
}

function countOutcomes(results: readonly ItemResult[]): Record<ItemResult['outcome'], number> {
  const counts = { released: 0, refused: 0, failed: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}
