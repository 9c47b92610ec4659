import { expect, it } from 'vitest';
import { createOutbox, createQueue } from '@/server/store/outbox';

interface Item {
  id: string;
  state: number;
}

const AT_ONCE = 500;
const items = (state: number): Item[] =>
  Array.from({ length: 3 * AT_ONCE }, (_, i) => ({ id: `${i}`, state }));

it('an outbox saves some at a time, and keeps what could not be saved', async () => {
  const saved: Item[][] = [];
  let isBroken = false;
  const outbox = createOutbox<Item>(async (batch) => {
    if (isBroken) throw new Error('broken');
    saved.push([...batch]);
    isBroken = saved.length === 1;
  });
  outbox.add(items(1));
  await expect(outbox.flush()).rejects.toThrow('broken');
  isBroken = false;
  await outbox.flush();
  expect(saved.map(({ length }) => length)).toEqual([AT_ONCE, AT_ONCE, AT_ONCE]);
  expect(saved.flat().map(({ id }) => Number(id))).toEqual([...items(1).keys()]);
  await outbox.flush();
  expect(saved).toHaveLength(3);
});

it('an item that changes while it is saved is saved again', async () => {
  const saved: number[] = [];
  const outbox = createOutbox<Item>(async (batch) => {
    if (saved.length === 0) outbox.add([{ id: 'a', state: 2 }]);
    saved.push(...batch.map(({ state }) => state));
  });
  outbox.add([{ id: 'a', state: 1 }]);
  await outbox.flush();
  await outbox.flush();
  await outbox.flush();
  expect(saved).toEqual([1, 2]);
});

it('of more lines than may wait the oldest go, and are told', async () => {
  const saved: number[] = [];
  const lost: number[] = [];
  const queue = createQueue<number>(async (lines) => void saved.push(...lines), {
    most: 3,
    gone: (lines) => void lost.push(...lines),
  });
  queue.add([1, 2]);
  queue.add([3, 4, 5]);
  await queue.flush();
  queue.add([6]);
  await queue.flush();
  expect({ saved, lost }).toEqual({ saved: [3, 4, 5, 6], lost: [1, 2] });
});
