import { describe, expect, it } from 'vitest';
import { createScenario, hash, START, UUID_A, UUID_B, type Scenario } from './scenario';

const [A, B, C] = [`${UUID_A}:1`, `${UUID_B}:1`, `${UUID_B}:2`];
const QUEUE = 'redisson_lock_queue:{k}';

const entry = (owner: string) => ({ owner, deadline: START + 300_000, alive: null });

function heldByA(): Scenario {
  const scenario = createScenario({ declared: () => true });
  scenario.events(0, 'k', 'hset', 'expire');
  scenario.read(1, 'k', hash({ [A]: '1' }), { queue: [entry(C)] });
  return scenario;
}

const waitsOf = ({ changes }: Scenario) =>
  changes.flatMap((change) =>
    change.kind === 'wait-ended'
      ? [[change.owner, change.waitedMs, change.outcome, change.evidence]]
      : [],
  );

const lastMoves = ({ changes }: Scenario) => {
  const last = changes.findLast((change) => change.kind === 'waiting-changed');
  const fromStart = (times: readonly number[] = []): number[] => times.map((at) => at - START);
  return { came: fromStart(last?.came), went: fromStart(last?.went) };
};

describe('a fair queue', () => {
  it('tells when those came and went whom a read shows late', () => {
    const scenario = heldByA();
    scenario.events(100, QUEUE, 'rpush');
    scenario.read(140, 'k', hash({ [A]: '1' }), { queue: [entry(C), entry(B)] });
    expect(lastMoves(scenario)).toEqual({ came: [100], went: [] });
    scenario.events(200, 'k', 'del');
    scenario.events(210, QUEUE, 'lpop');
    scenario.events(210, 'k', 'hset', 'expire');
    scenario.read(250, 'k', hash({ [C]: '1' }), { queue: [entry(B)] });
    expect(lastMoves(scenario)).toEqual({ came: [], went: [210] });
  });

  it('takes nothing back of one who held it before, queued again and gave up', () => {
    const scenario = heldByA();
    scenario.events(100, 'k', 'del');
    scenario.events(100, QUEUE, 'lpop');
    scenario.events(100, 'k', 'hset', 'expire');
    scenario.read(101, 'k', hash({ [C]: '1' }), { queue: [] });
    scenario.events(200, QUEUE, 'rpush');
    scenario.read(201, 'k', hash({ [C]: '1' }), { queue: [entry(A)] });
    scenario.events(900, QUEUE, 'lrem');
    scenario.read(901, 'k', hash({ [C]: '1' }), { queue: [] });
    expect(lastMoves(scenario)).toEqual({ came: [], went: [901] });
  });

  it('times the grant of one who was in between two reads by the pop', () => {
    const scenario = heldByA();
    scenario.events(100, QUEUE, 'rpush');
    scenario.read(101, 'k', hash({ [A]: '1' }), { queue: [entry(C), entry(B)] });
    scenario.events(200, 'k', 'del');
    scenario.events(200, QUEUE, 'lpop');
    scenario.events(200, 'k', 'hset', 'expire');
    scenario.events(300, 'k', 'del');
    scenario.events(300, QUEUE, 'lpop');
    scenario.events(300, 'k', 'hset', 'expire');
    scenario.read(340, 'k', hash({ [B]: '1' }), { queue: [] });
    expect(waitsOf(scenario)).toEqual([
      [B, 200, 'granted', 'observed'],
      [C, 199, 'granted', 'inferred'],
    ]);
  });

  it('counts a wait that began and ended between two reads', () => {
    const scenario = createScenario({ declared: () => true });
    scenario.events(0, 'k', 'hset', 'expire');
    scenario.read(1, 'k', hash({ [A]: '1' }), { queue: [] });
    scenario.events(100, QUEUE, 'rpush');
    scenario.events(140, 'k', 'del');
    scenario.events(150, QUEUE, 'lpop');
    scenario.events(150, 'k', 'hset', 'expire');
    scenario.read(160, 'k', hash({ [B]: '1' }), { queue: [] });
    expect(waitsOf(scenario)).toEqual([[B, 50, 'granted', 'observed']]);
    expect(lastMoves(scenario)).toEqual({ came: [100], went: [150] });
    expect(scenario.hold('k').waitedMs).toMatchObject({ ms: 50, evidence: 'observed' });
  });

  it('lets a wait touch the gap in which it may have begun', () => {
    const scenario = heldByA();
    scenario.gap(100, 200);
    scenario.read(220, 'k', hash({ [A]: '1' }), { queue: [entry(C), entry(B)] });
    scenario.events(300, 'k', 'del');
    scenario.events(300, QUEUE, 'lpop', 'lpop');
    scenario.events(300, 'k', 'hset', 'expire');
    scenario.read(310, 'k', hash({ [B]: '1' }), { queue: [] });
    const touching = scenario.changes.flatMap((change) =>
      change.kind === 'wait-ended' ? [[change.owner, change.touchesGap] as const] : [],
    );
    expect(new Map(touching)).toEqual(
      new Map([
        [C, true],
        [B, true],
      ]),
    );
  });

  it('claims no wait of one who came and gave up unseen', () => {
    const scenario = heldByA();
    scenario.events(100, QUEUE, 'rpush', 'lrem');
    scenario.events(150, 'k', 'del');
    scenario.events(150, QUEUE, 'lpop');
    scenario.events(150, 'k', 'hset', 'expire');
    scenario.read(160, 'k', hash({ [C]: '1' }), { queue: [] });
    expect(waitsOf(scenario).map(([owner]) => owner)).toEqual([C]);
  });
});
