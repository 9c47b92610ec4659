import { bodyOf, isCodedError, type ErrorBody } from '@/lib/protocol/errors';

type Failure = Pick<ErrorBody['error'], 'message' | 'sentences'>;

/** What came of an act for one alert; `failure` null = done. */
export interface ActResult {
  id: string;
  failure: Failure | null;
}

/**
 * Acts on many, `atOnce` in one request. Where a request fails after others went well, all that was left has failed as it
 * did: what was done is told all the same. Rejects as the first request does, of which nothing is known to be done.
 */
export async function inParts(
  ids: readonly string[],
  atOnce: number,
  act: (some: string[]) => Promise<readonly ActResult[]>,
): Promise<ActResult[]> {
  const all: ActResult[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    try {
      all.push(...(await act(ids.slice(at, at + atOnce))));
    } catch (error) {
      if (at === 0 || !isCodedError(error)) throw error;
      const failure = bodyOf(error).error;
      return [...all, ...ids.slice(at).map((id) => ({ id, failure }))];
    }
  }
  return all;
}
