import { describe, expect, it } from 'vitest';
import { createModel, createRandom, type TrueHold } from './redis-model';
import { createScenario, hash, text, type Scenario } from './scenario';

const LEASE_MS = 1000;

function run(write: 'set' | 'hincrby', seed: number, readShare: number) {
  const key = write === 'set' ? 'lock:x' : 'inv';
  const s = createScenario({ declared: () => true });
  const random = createRandom(seed);
  const readMaxDepth = new Map<string, number>();
  const model = createModel(write, LEASE_MS, {
    event: (at, ...names) => void s.events(at, key, ...names),
    read: (at, holder) => {
      if (!holder) return void s.read(at, key, null);
      const { token, depth, pttl } = holder;
      readMaxDepth.set(token, Math.max(depth, readMaxDepth.get(token) ?? 0));
      const value = write === 'set' ? text(token) : hash({ [token]: `${depth}` });
      return void s.read(at, key, value, { pttl });
    },
  });
  // The format of a hash is settled by its value, so that the first one has to be read.
  model.acquire();
  model.read();
  const deeds = [
    () => model.acquire(),
    () => model.acquire(),
    // Nobody renews what was just written, and an end so soon after leaves open whose write it was.
    () => {
      model.pass(25);
      model.renew('set');
      model.pass(25);
    },
    () => model.renew('expire'),
    () => model.release(),
    () => model.reenter(),
    () => model.overwrite(),
    () => model.evict(),
    () => model.flush(),
    () => model.pass(Math.floor(LEASE_MS * random() * 1.5)),
  ];
  for (let i = 0; i < 60; i++) {
    model.pass(1 + Math.floor(random() * 50));
    deeds[Math.floor(random() * deeds.length)]?.();
    if (random() < readShare) model.read();
  }
  model.pass(1);
  model.release();
  return { s, key, holds: model.holds, readMaxDepth };
}

function compare(s: Scenario, key: string, truth: readonly TrueHold[]): void {
  const started = s.changes.filter((change) => change.kind === 'hold-started');
  const seen = started.map(({ hold }) => hold);
  expect(seen.map(({ since }) => since)).toEqual(truth.map(({ since }) => since));
  expect(seen.map(({ endReason }) => endReason)).toEqual(truth.map(({ reason }) => reason));
  expect(seen.map(({ generation }) => generation)).toEqual(truth.map((_, i) => i + 1));
  for (const [i, real] of truth.entries()) {
    const hold = seen[i];
    if (!hold || real.end === null) continue;
    expect(hold.token === null || hold.token === real.token).toBe(true);
    expect(hold.renewals).toBe(real.renewals);
    if (real.reason !== 'lease-ended' || real.wasLeaseRead) expect(hold.end).toBe(real.end);
    else expect(hold.end).toBeGreaterThanOrEqual(real.end);
  }
  expect(s.lock(key).acquisitions).toBe(truth.length);
}

describe.each(['set', 'hincrby'] as const)('holds taken by %s', (write) => {
  it.each([0, 0.1, 0.5, 1])('are found however reads coalesce (share %d)', (readShare) => {
    for (let seed = 1; seed <= 150; seed++) {
      const { s, key, holds } = run(write, seed, readShare);
      try {
        compare(s, key, holds);
      } catch (error) {
        throw new Error(`seed ${seed}, reads ${readShare}`, { cause: error });
      }
    }
  });
});

describe('the depth of re-entered holds', () => {
  it('is at least what was read and never more than it was', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const { s, holds, readMaxDepth } = run('hincrby', seed, 0.2);
      const started = s.changes.filter((change) => change.kind === 'hold-started');
      for (const [i, real] of holds.entries()) {
        const depth = started[i]?.hold.maxDepth ?? 0;
        expect(depth).toBeLessThanOrEqual(real.maxDepth);
        expect(depth).toBeGreaterThanOrEqual(readMaxDepth.get(real.token) ?? 1);
        if (real.maxDepth > 1 && real.reason === 'released') expect(depth).toBeGreaterThan(1);
      }
    }
  });
});
