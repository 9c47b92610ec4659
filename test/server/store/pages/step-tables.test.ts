import { describe, expect, it } from 'vitest';
import { decodeBlame } from '@/server/store/pages/blame-page';
import { StepTables } from '@/server/store/pages/step-tables';
import { decodeSketches } from '@/server/store/pages/sketch-page';
import { decodeSums } from '@/server/store/pages/sums-page';
import { PAGE_KINDS, type PageKind } from '@/server/store/schema';
import { createSketch } from '@/lib/analysis/sketch';
import { aRollup } from '@/test/server/store/samples';

const KEEP = 50;

function run(work: Generator<void>): void {
  for (const _ of work) continue;
}

const pageOf = (tables: StepTables, name: PageKind): Uint8Array =>
  [...tables.encode()].find(({ kind }) => PAGE_KINDS[kind] === name)?.bytes ?? new Uint8Array(0);

/** A skewed world of 900 locks in three classes; the weight of lock i in it falls with i. */
function recorded(seed: number) {
  const tables = new StepTables();
  const sketch = createSketch();
  sketch.add(3);
  const weights = new Map<number, number>();
  for (let i = 0; i < 900; i++) {
    const heldMs = Math.floor(1_000_000 / (1 + i)) + ((i * seed) % 13);
    const lockId = 1000 + i;
    const rollup = aRollup({ lock: { db: 0, key: `k${i}` }, heldMs, waiterMs: i % 5 });
    tables.addRollup(
      { ...rollup, sketches: { hold: sketch.serialise() } },
      { classId: 1 + (i % 3), lockId },
    );
    tables.addBlame({
      classId: 1 + (i % 3),
      lockId,
      cause: 'holder',
      owner: `o${i}`,
      waiterMs: heldMs,
    });
    weights.set(lockId, heldMs + (i % 5));
  }
  return { tables, weights };
}

describe('the heaviest locks of a step', () => {
  it('are kept with their distributions, and no other exceeds the bound', () => {
    const total = new StepTables();
    const truth = new Map<number, number>();
    for (let part = 1; part <= 12; part++) {
      const { tables, weights } = recorded(part);
      run(tables.limit(KEEP));
      for (const { kind, bytes } of tables.encode()) {
        const name = PAGE_KINDS[kind];
        if (name) run(total.addPage(name, bytes));
      }
      for (const [id, weight] of weights) truth.set(id, (truth.get(id) ?? 0) + weight);
    }
    run(total.limit(KEEP));
    run(total.settle());
    const sums = decodeSums(pageOf(total, 'lock-sums'));
    expect(sums.rows).toBe(KEEP);
    const kept = new Set(sums.ids);
    for (const [id, weight] of truth) {
      if (!kept.has(id)) expect(weight).toBeLessThanOrEqual(sums.bound);
    }
    const sketches = decodeSketches(pageOf(total, 'lock-sketches'));
    expect(new Set([...sketches.ofKind(0)].map(({ id }) => id))).toEqual(kept);
    expect(new Set(total.lockIds).size).toBeLessThanOrEqual(2 * KEEP);
  });

  it('leave the totals of blame exact, class by class', () => {
    const { tables } = recorded(7);
    const totals = (page: Uint8Array) => {
      const byClass = new Map<number, number>();
      for (const { classId, waiterMs } of decodeBlame(page).entries()) {
        byClass.set(classId, (byClass.get(classId) ?? 0) + waiterMs);
      }
      return byClass;
    };
    const before = totals(pageOf(tables, 'blame'));
    run(tables.limit(KEEP));
    run(tables.limit(KEEP));
    expect(totals(pageOf(tables, 'blame'))).toEqual(before);
    const entries = [...decodeBlame(pageOf(tables, 'blame')).entries()];
    const others = entries.filter(({ cause }) => cause === 'others');
    expect(entries).toHaveLength(KEEP + 3);
    expect(others.map(({ classId, lockId, owner }) => [classId, lockId, owner])).toEqual([
      [1, 0, null],
      [2, 0, null],
      [3, 0, null],
    ]);
  });
});
