import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alert, AlertCode } from '@/lib/protocol/alert';
import { RuleDryRunParams } from '@/lib/protocol/queries';
import type { DryRun, RuleSetting, Threshold } from '@/lib/protocol/rules';
import { ask } from '@/test/server/queries/ask';
import { aHold, aRollup, sketchOf } from '@/test/server/queries/history-samples';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestServer;
let now = 0;

/** Held for so long, so long ago, under the number. */
const held = (key: string, heldMs: number, agoMs: number, generation = 1) => ({
  ...{ db: 0, key, class: `${key}:*`, namespace: key, generation },
  start: now - agoMs,
  end: now - agoMs + heldMs,
});

beforeAll(async () => {
  server = await startServer();
  now = Date.now();
  const { store } = server.context;
  await store.writeHolds([
    ...Array.from({ length: 2500 }, (_, i) => aHold(held('short', 5, DAY + i * 20, i))),
    ...[1, 2, 3].map((i) => aHold(held('import', 10 * MINUTE, i * DAY, i))),
    aHold(held('import', 3 * MINUTE, 4 * DAY, 4)),
    aHold(held('pay', 20 * SECOND, HOUR)),
    aHold({ ...held('kept', HOUR, 2 * HOUR), notes: ['finished-kept'] }),
    aHold({ ...held('stuck', 0, 2 * HOUR), end: null }),
  ]);
  const step = Math.floor((now - DAY) / 300_000) * 300_000;
  const lasting = (ms: number) => ({ hold: sketchOf(Array.from({ length: 200 }, () => ms)) });
  await store.writeRollups({
    rollups: [
      aRollup({
        ...{ class: 'pay:*', namespace: 'pay', step, spanMs: 300_000, acquisitions: 200 },
        sketches: lasting(2 * SECOND),
      }),
    ],
    blame: [],
  });
});
afterAll(() => server.stop());

const setting = (threshold: Threshold | null, to: Partial<RuleSetting> = {}): RuleSetting => ({
  ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0, threshold },
  ...to,
});
const fixed = (value: number): Threshold => ({ kind: 'static', value });

const tried = (
  to: RuleSetting,
  { code = 'long-hold', ...over }: { code?: AlertCode; class?: string; from?: number } = {},
): Promise<DryRun> => ask(server.as('viewer'), 'rule-dry-run', { code, setting: to, ...over });

const byClass = ({ classes }: DryRun) =>
  Object.fromEntries(classes.map(({ class: name, fired, firedNow }) => [name, [fired, firedNow]]));

describe('a dry run of long holds', () => {
  it('says how often it would have fired in the last week and how often the present setting does', async () => {
    const run = await tried(setting(fixed(5 * MINUTE)));
    // The standard is a minute, and 20 s are unusual where 99 of 100 take 2 s.
    expect(byClass(run)).toEqual({
      'import:*': [3, 4],
      'stuck:*': [1, 1],
      'pay:*': [0, 1],
    });
    expect(run).toMatchObject({ fired: 4, firedNow: 6, basis: 200, evidence: 'observed' });
    expect(run.examples[0]).toMatchObject({ label: 'stuck', value: expect.any(Number) });
    expect(run.examples.map(({ at }) => at)).toEqual(
      run.examples.map(({ at }) => at).toSorted((a, b) => b - a),
    );
    expect(run.to - run.from).toBe(7 * DAY);
  });

  it('counts how long a hold must last before it fires, and nothing where it is switched off', async () => {
    const late = await tried(setting(fixed(2 * MINUTE), { forMs: 2 * MINUTE }));
    expect(byClass(late)['import:*']).toEqual([3, 4]);
    const off = await tried(setting(fixed(MINUTE), { enabled: false }));
    expect(off.fired).toBe(0);
    expect(off.examples).toEqual([]);
  });

  it('is of one class where that is asked, and of the span that is asked', async () => {
    const run = await tried(setting(fixed(MINUTE)), { class: 'import:*' });
    expect(byClass(run)).toEqual({ 'import:*': [4, 4] });
    const from = now - 2.5 * DAY;
    const shorter = await tried(setting(fixed(MINUTE)), { class: 'import:*', from });
    expect(byClass(shorter)).toEqual({ 'import:*': [2, 2] });
    const nothing = await tried(setting(fixed(MINUTE)), { class: 'nobody:*' });
    expect(nothing).toMatchObject({ fired: 0, firedNow: 0, classes: [] });
  });

  it('follows the class where it is adaptive', async () => {
    const adaptive = (factor: number): Threshold => ({
      ...{ kind: 'adaptive', factor, least: SECOND, otherwise: HOUR },
    });
    expect(byClass(await tried(setting(adaptive(9))))['pay:*']).toEqual([1, 1]);
    expect(byClass(await tried(setting(adaptive(11))))['pay:*']).toEqual([0, 1]);
  });

  it('names the limits that the table of rules shows once it is saved, and leaves out exceptions', async () => {
    const threshold: Threshold = { kind: 'adaptive', factor: 9, least: SECOND, otherwise: HOUR };
    const { limits } = await tried(setting(threshold));
    const by = { actor: 'ada', reason: 'to see', at: now };
    const { rules: book } = server.context;
    const saved = async () => {
      const { rules } = await ask(server.as('viewer'), 'rules', {});
      return rules.find(({ code }) => code === 'long-hold');
    };
    book.save({ code: 'long-hold', class: null, setting: setting(threshold), ...by });
    const all = await saved();
    expect(all?.usual).toEqual(limits.slice(0, 5));
    expect(all?.usual).toContainEqual(limits.find((each) => each.class === 'pay:*'));

    book.save({ code: 'long-hold', class: 'pay:*', setting: setting(threshold), ...by });
    const excepted = await saved();
    expect(excepted?.usual.map((each) => each.class)).not.toContain('pay:*');
    expect(excepted?.classes).toMatchObject([
      {
        class: 'pay:*',
        usual: { class: 'pay:*', limitMs: limits.find((each) => each.class === 'pay:*')?.limitMs },
      },
    ]);
    book.reset('long-hold', 'pay:*');
    book.reset('long-hold', null);
  });

  it('leaves a class alone that has a setting of its own', async () => {
    const { rules } = server.context;
    const by = { actor: 'ada', reason: 'tried out', at: now };
    rules.save({ code: 'long-hold', class: 'import:*', setting: setting(fixed(HOUR)), ...by });
    const run = await tried(setting(fixed(MINUTE)));
    rules.reset('long-hold', 'import:*');
    expect(byClass(run)).not.toHaveProperty('import:*');
  });

  it('looks through every page of many holds', async () => {
    const run = await tried(setting(fixed(1)), { class: 'short:*' });
    expect(run).toMatchObject({ fired: 2500, firedNow: 0, basis: 2500 });
    expect(run.examples).toHaveLength(50);
  });
});

describe('a dry run of other alerts', () => {
  const anAlert = (id: string, lastedMs: number, over: Partial<Alert> = {}): Alert => ({
    ...{ id, code: 'orphan-queue', severity: 'warning', state: 'resolved', target: 'main' },
    subject: { kind: 'lock', label: id, locks: [], deadlockId: null },
    ...{ summary: 'all wait', remedy: 'drop', count: 1, evidence: 'observed' },
    ...{ since: now - DAY, updatedAt: now - DAY + lastedMs, resolvedAt: now - DAY + lastedMs },
    ...{ acknowledgedBy: null, acknowledgedReason: null, silencedUntil: null },
    labels: { class: 'q:*', namespace: 'q', owner: null, node: null },
    ...over,
  });

  beforeAll(async () => {
    await server.context.store.saveAlerts([
      anAlert('a', 5 * SECOND),
      anAlert('b', 40 * SECOND),
      anAlert('c', 90 * SECOND, {
        labels: { class: 'r:*', namespace: 'r', owner: null, node: null },
      }),
      anAlert('elsewhere', 90 * SECOND, { target: 'other' }),
      anAlert('t', 1, { code: 'takeover' }),
    ]);
  });

  it('goes by those that are kept: how long each lasted', async () => {
    const run = await tried(setting(fixed(30 * SECOND)), { code: 'orphan-queue' });
    expect(run).toMatchObject({ fired: 2, firedNow: 3, basis: 3, evidence: 'inferred' });
    expect(byClass(run)).toEqual({ 'q:*': [1, 2], 'r:*': [1, 1] });
    const waits = setting(fixed(2 * SECOND), { forMs: MINUTE });
    expect(byClass(await tried(waits, { code: 'orphan-queue' }))).toEqual({
      ...{ 'q:*': [0, 2], 'r:*': [1, 1] },
    });
    const off = setting(null, { enabled: false });
    expect(await tried(off, { code: 'takeover' })).toMatchObject({ fired: 0, firedNow: 1 });
  });

  it('says nothing of what nobody kept: shorter ones, and other counts', async () => {
    const shorter = await tried(setting(fixed(SECOND)), { code: 'orphan-queue' });
    expect(shorter).toMatchObject({ fired: null, firedNow: 3, examples: [] });
    const fewer = await tried(setting(fixed(5)), { code: 'waiter-pileup' });
    expect(fewer.fired).toBeNull();
  });
});

describe('the parameters of a dry run', () => {
  it('are read from a query string', () => {
    const given = { code: 'long-hold', setting: JSON.stringify(setting(fixed(1))), from: '5' };
    expect(RuleDryRunParams.parse(given)).toMatchObject({ setting: setting(fixed(1)), from: 5 });
    expect(() => RuleDryRunParams.parse({ ...given, setting: '{' })).toThrow();
  });

  it('must fit the code', async () => {
    const odd = tried(setting(fixed(1)), { code: 'takeover' });
    await expect(odd).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
