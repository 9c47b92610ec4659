import { expect, it } from 'vitest';
import { createFewAtOnce } from '@/server/queries/few-at-once';
import { until } from '@/test/support/until';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, () => (name.startsWith('bad') ? reject(new Error(name)) : resolve(name)));
    });
  return { begun, run, end: (name: string) => ends.get(name)?.() };
}

it('runs three long queries of one asker at a time, in order, also after one that failed', async () => {
  const few = createFewAtOnce();
  const { begun, run, end } = works();
  const asked = { query: 'heatmap', by: 'anna' };
  const names = ['bad', 'b', 'c', 'd', 'e'];
  const answers = Promise.allSettled(names.map((name) => few(asked, run(name))));
  await turn();
  expect(begun).toEqual(['bad', 'b', 'c']);
  end('bad');
  await until('the next begins', () => begun.length === 4);
  expect(begun).toEqual(['bad', 'b', 'c', 'd']);
  for (const name of ['b', 'c', 'd']) end(name);
  await until('the last begins', () => begun.length === 5);
  end('e');
  const told = (await answers).map((answer) => answer.status === 'fulfilled' && answer.value);
  expect(told).toEqual([false, 'b', 'c', 'd', 'e']);
});

it('makes neither another asker wait nor a short query', async () => {
  const few = createFewAtOnce();
  const { begun, run, end } = works();
  const names = ['a', 'b', 'c', 'd'];
  const answers = names.map((name) => few({ query: 'waits', by: 'anna' }, run(name)));
  answers.push(few({ query: 'waits', by: 'bert' }, run('other')));
  answers.push(few({ query: 'locks', by: 'anna' }, run('short')));
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'other', 'short']);
  for (const name of ['other', 'short', ...names]) {
    await until(`${name} has begun`, () => begun.includes(name));
    end(name);
  }
  expect(await Promise.all(answers)).toEqual([...names, 'other', 'short']);
});
