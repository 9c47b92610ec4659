import { describe, expect, it } from 'vitest';
import type { Liveness } from '@/lib/protocol/lock';
import { createScenario, hash, START, text, UUID_A, UUID_B, type Scenario } from './scenario';

const SECOND = 1000;

/** The list of clients as it is `at` milliseconds after the start. */
const list = (
  scenario: Scenario,
  at: number,
  { names = [], addresses = [] }: { names?: string[]; addresses?: string[] } = {},
) =>
  scenario.apply({
    ...{ kind: 'clients', at: START + at, blocked: new Map(), patternListeners: 0 },
    ...{ names, addresses: new Set(addresses) },
  });

const liveness = (scenario: Scenario, key: string): Liveness | undefined =>
  scenario.hold(key).owner?.liveness;

const shedlock = (host: string) => text(`ADDED:2026-01-01T00:00:00.000Z@${host}:${UUID_A}`);
const JOB = 'job-lock:default:report';

describe('whether a holder is there', () => {
  it('is seen by its host in the name of a client, and not by another that begins alike', () => {
    const scenario = createScenario();
    scenario.events(0, JOB, 'set', 'expire');
    scenario.read(1, JOB, shedlock('web-1'), { pttl: 60_000 });
    expect(liveness(scenario, JOB)).toBe('unknown');
    list(scenario, 1 * SECOND, { names: ['app@web-10', 'web-11:worker'] });
    expect(liveness(scenario, JOB)).toBe('unknown');
    list(scenario, 2 * SECOND, { names: ['app@web-10', 'app@web-1'] });
    expect(liveness(scenario, JOB)).toBe('seen');
  });

  it('is not so only after it was seen and has been gone for more than a minute', () => {
    const scenario = createScenario();
    scenario.events(0, JOB, 'set', 'expire');
    scenario.read(1, JOB, shedlock('web-1'), { pttl: 600_000 });
    list(scenario, 1 * SECOND, { names: ['web-1'] });
    list(scenario, 31 * SECOND);
    expect(liveness(scenario, JOB)).toBe('unknown');
    list(scenario, 61 * SECOND);
    expect(liveness(scenario, JOB)).toBe('unknown');
    const changes = list(scenario, 62 * SECOND);
    expect(liveness(scenario, JOB)).toBe('not-seen');
    expect(changes.map(({ kind }) => kind)).toContain('lock-changed');
    list(scenario, 63 * SECOND, { names: ['web-1'] });
    expect(liveness(scenario, JOB)).toBe('seen');
  });

  it('stays unknown of those who were never seen', () => {
    const scenario = createScenario();
    scenario.events(0, JOB, 'set', 'expire');
    scenario.read(1, JOB, shedlock('web-1'), { pttl: 600_000 });
    for (let at = 0; at < 300; at += 10) list(scenario, at * SECOND, { names: ['web-2'] });
    expect(liveness(scenario, JOB)).toBe('unknown');
  });

  it('is claimed of nobody while Redis is out of reach, and found anew afterwards', () => {
    const scenario = createScenario();
    scenario.events(0, JOB, 'set', 'expire');
    scenario.read(1, JOB, shedlock('10.0.0.7'), { pttl: 600_000 });
    list(scenario, 1 * SECOND, { addresses: ['10.0.0.7'] });
    expect(liveness(scenario, JOB)).toBe('seen');
    scenario.apply({ kind: 'connection', at: START + 2 * SECOND, connected: false });
    expect(liveness(scenario, JOB)).toBe('unknown');
    scenario.apply({ kind: 'connection', at: START + 90 * SECOND, connected: true });
    expect(liveness(scenario, JOB)).toBe('unknown');
    list(scenario, 91 * SECOND, { addresses: ['10.0.0.7'] });
    expect(liveness(scenario, JOB)).toBe('seen');
  });

  it('is known of the next hold of the same host at once', () => {
    const scenario = createScenario();
    scenario.events(0, JOB, 'set', 'expire');
    scenario.read(1, JOB, shedlock('web-1'), { pttl: 600_000 });
    list(scenario, 1 * SECOND, { names: ['web-1'] });
    scenario.events(2 * SECOND, 'job-lock:default:other', 'set', 'expire');
    scenario.read(2 * SECOND + 1, 'job-lock:default:other', shedlock('web-1'), { pttl: 60_000 });
    expect(liveness(scenario, 'job-lock:default:other')).toBe('seen');
  });

  it('is told of each reader of a read-write lock', () => {
    const scenario = createScenario();
    const both = hash({ mode: 'read', [`${UUID_A}:1`]: '1', [`${UUID_B}:7`]: '1' });
    scenario.read(1, 'docs', both, { pttl: 30_000 });
    const names = [`shop-${UUID_A}`, `shop-${UUID_B}`];
    list(scenario, 1 * SECOND, { names });
    const told = () =>
      Object.fromEntries(
        scenario.lock('docs').members.map(({ id, owner }) => [id, owner?.liveness]),
      );
    expect(told()).toEqual({ [`${UUID_A}:1`]: 'seen', [`${UUID_B}:7`]: 'seen' });
    list(scenario, 70 * SECOND, { names: names.slice(0, 1) });
    expect(told()).toEqual({ [`${UUID_A}:1`]: 'seen', [`${UUID_B}:7`]: 'not-seen' });
  });

  it('is not told of a job by other workers of its queue, but by none of them being there', () => {
    const scenario = createScenario();
    const key = 'bull:mail:17:lock';
    scenario.events(0, key, 'set', 'expire');
    scenario.read(1, key, text(`${UUID_A}:3`), { pttl: 30_000 });
    const worker = `bull:${btoa('mail')}`;
    list(scenario, 1 * SECOND, { names: [`${worker}:w:other`] });
    expect(liveness(scenario, key)).toBe('unknown');
    list(scenario, 70 * SECOND, { names: [`bull:${btoa('mails')}`] });
    expect(liveness(scenario, key)).toBe('not-seen');
  });

  it('is asked for only where there is somebody to look for', () => {
    const scenario = createScenario();
    expect(scenario.table.clientQuestion(START)).toBeNull();
    scenario.events(0, 'lock:anonymous', 'set', 'expire');
    scenario.read(1, 'lock:anonymous', text('0123456789abcdef0123456789abcdef'), { pttl: 9000 });
    expect(scenario.table.clientQuestion(START + 2)).toBeNull();
    scenario.events(2, JOB, 'set', 'expire');
    scenario.read(3, JOB, shedlock('web-1'), { pttl: 60_000 });
    expect(scenario.table.clientQuestion(START + 4)).toBe('owners');
  });
});

describe('a lock whose waiters are blocked', () => {
  const PY = 'QUJDREVGR0hJSktMTU5PUFFS';
  it('has the clients listed while it is held, and for an hour after it lapsed', () => {
    const scenario = createScenario();
    scenario.events(0, 'lock:py', 'set', 'expire');
    scenario.read(1, 'lock:py', text(PY), { pttl: 1000 });
    expect(scenario.table.clientQuestion(START + 2)).toBe('waiters');
    scenario.events(1000, 'lock:py', 'expired');
    scenario.read(1001, 'lock:py', null);
    expect(scenario.table.clientQuestion(START + 30 * 60 * SECOND)).toBe('waiters');
    expect(scenario.table.clientQuestion(START + 62 * 60 * SECOND)).toBeNull();
  });

  it('has nobody listed after its release, which woke whoever waited', () => {
    const scenario = createScenario();
    scenario.events(0, 'lock:py', 'set', 'expire');
    scenario.read(1, 'lock:py', text(PY), { pttl: 1000 });
    scenario.events(500, 'lock:py', 'del');
    expect(scenario.table.clientQuestion(START + 501)).toBeNull();
  });
});
