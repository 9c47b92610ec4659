import { expect, it } from 'vitest';
import { inParts, type ActResult } from '@/components/alerts/in-parts';
import { CodedError } from '@/lib/protocol/errors';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const done = (ids: readonly string[]): ActResult[] => ids.map((id) => ({ id, failure: null }));

/** Acts until it fails at the request of that number, the first is 1. */
function failingAt(request: number) {
  const asked: string[][] = [];
  const act = async (ids: string[]): Promise<ActResult[]> => {
    asked.push(ids);
    if (asked.length === request) throw new CodedError('INTERNAL', 'no answer came');
    return done(ids);
  };
  return { asked, act };
}

it('acts on all, some at a time', async () => {
  const { asked, act } = failingAt(Infinity);
  expect(await inParts(IDS, 2, act)).toEqual(done(IDS));
  expect(asked).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('tells what was done where a later request fails, and asks no more', async () => {
  const { asked, act } = failingAt(2);
  const results = await inParts(IDS, 2, act);
  expect(results.slice(0, 2)).toEqual(done(['a', 'b']));
  const failures = results.slice(2).map(({ id, failure }) => [id, failure?.message]);
  expect(failures).toEqual(['c', 'd', 'e'].map((id) => [id, 'no answer came']));
  expect(asked).toHaveLength(2);
});

it('rejects where the first request fails', async () => {
  await expect(inParts(IDS, 2, failingAt(1).act)).rejects.toThrow('no answer came');
});
