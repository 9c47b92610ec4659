import { expect, it } from 'vitest';
import { createRest } from '@/server/rest';

it('work that takes long rests as long as it took, also when it fails', () => {
  let now = 0;
  const rest = createRest(() => now);
  const begun: number[] = [];
  const workFor = (ms: number) => (): void => {
    begun.push(now);
    now += ms;
    if (ms === 300) throw new Error('failed');
  };
  rest.run(workFor(2000));
  rest.run(workFor(1));
  now = 3999;
  rest.run(workFor(1));
  expect(begun).toEqual([0]);
  now = 4000;
  expect(() => rest.run(workFor(300))).toThrow('failed');
  now = 4599;
  rest.run(workFor(1));
  now = 4600;
  rest.run(workFor(0));
  rest.run(workFor(0));
  expect(begun).toEqual([0, 4000, 4600, 4600]);
});

it('it rests several times as long where other work goes before', () => {
  let now = 0;
  let times = 9;
  const rest = createRest(
    () => now,
    () => times,
  );
  const begun: number[] = [];
  const work = (): void => {
    begun.push(now);
    now += 100;
  };
  rest.run(work);
  now = 999;
  rest.run(work);
  times = 1;
  now = 1000;
  rest.run(work);
  now = 1200;
  rest.run(work);
  expect(begun).toEqual([0, 1000, 1200]);
});
