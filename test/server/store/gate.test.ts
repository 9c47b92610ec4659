import { expect, it } from 'vitest';
import { createGate } from '@/server/store/gate';

const turns = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

it('lets many read at once and a write wait for them, in order', async () => {
  const gate = createGate();
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async (): Promise<void> => {
    log.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
  };
  void gate.read(work('read 1'));
  void gate.read(work('read 2'));
  void gate.write(work('write'));
  void gate.read(work('read 3'));
  await turns();
  expect(log).toEqual(['read 1', 'read 2']);
  ends.splice(0).forEach((end) => end());
  await turns();
  expect(log).toEqual(['read 1', 'read 2', 'write']);
  ends.splice(0).forEach((end) => end());
  await turns();
  expect(log).toEqual(['read 1', 'read 2', 'write', 'read 3']);
});

it('goes on after a failure, which its caller hears of', async () => {
  const gate = createGate();
  const failing = gate.write(async () => {
    throw new Error('full');
  });
  await expect(failing).rejects.toThrow('full');
  await expect(gate.read(async () => await Promise.reject(new Error('gone')))).rejects.toThrow();
  expect(await gate.write(async () => 1)).toBe(1);
});
