import { describe, expect, it } from 'vitest';
import { ReadQueue } from '@/server/watch/read-queue';

describe('the read queue', () => {
  it('lets keys that are locks by their name pass those that may be anything', () => {
    const queue = new ReadQueue();
    for (let i = 0; i < 1000; i++) queue.add(0, `cold:${i}`, 'event', false);
    queue.add(0, 'lock:late', 'event');
    expect(queue.take('urgent')?.keys).toEqual(['lock:late']);
    expect(queue.take('urgent')).toBeNull();
    queue.withdraw(0, 'cold:998');
    const next = queue.take('doubtful')?.keys;
    expect(next).toHaveLength(100);
    expect(next?.slice(0, 2)).toEqual(['cold:999', 'cold:997']);
    expect(queue.take('doubtful')?.keys[0]).toBe('cold:898');
  });

  it('reads few keys at once where nobody waits for them', () => {
    const queue = new ReadQueue();
    for (let i = 0; i < 70; i++) queue.add(0, `lock:${i}`, 'sweep');
    const taken = Array.from({ length: 4 }, () => queue.take('background')?.keys.length ?? 0);
    expect(taken).toEqual([30, 30, 10, 0]);
  });

  it('reads a key once, with the greater of its urgencies', () => {
    const queue = new ReadQueue();
    queue.add(0, 'k', 'sweep');
    queue.add(0, 'd', 'event', false);
    queue.add(0, 'd', 'asked');
    queue.add(0, 'd', 'reconcile');
    expect(queue.take('urgent')).toMatchObject({ keys: ['d'], causes: ['asked'] });
    expect(queue.take('doubtful')).toBeNull();
    expect(queue.take('background')?.keys).toEqual(['k']);
  });

  it('remembers that a key is to be checked, whatever else asks for it', () => {
    const queue = new ReadQueue();
    queue.add(0, 'a', 'event');
    queue.add(0, 'a', 'check');
    queue.add(0, 'b', 'check');
    queue.add(0, 'b', 'event');
    queue.add(0, 'c', 'event');
    const batch = queue.take('urgent');
    expect(batch).toMatchObject({ keys: ['a', 'b', 'c'], causes: ['event', 'event', 'event'] });
    expect([...(batch?.checked ?? [])]).toEqual(['a', 'b']);
    queue.add(0, 'a', 'event');
    expect(queue.take('urgent')?.checked.size).toBe(0);
  });
});
