import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { classify } from '@/lib/analysis/lock-class';
import { bytesFromText, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import type { Role } from '@/lib/protocol/actions';
import { createAlertBook } from '@/server/alerts';
import { createLabels } from '@/server/alerts/labels';
import { createRules } from '@/server/alerts/rules';
import { createSilences } from '@/server/alerts/silences';
import { createAnalysis } from '@/server/analysers';
import type { Actor } from '@/server/auth/actor';
import type { Config } from '@/server/config';
import { ClassTotals } from '@/server/metrics/class-totals';
import { joinPipeline } from '@/server/pipeline';
import { runQuery } from '@/server/queries';
import { createDiscoveries } from '@/server/libraries/discoveries';
import { createFormatsInUse } from '@/server/libraries/formats-in-use';
import { createNotifier } from '@/server/notify/notifier';
import { createPinBook } from '@/server/libraries/pin-book';
import { createAdviceMemory } from '@/server/queries/advice-memory';
import { createLockIndex } from '@/server/queries/lock-index';
import type { QueryContext, ServerContext } from '@/server/queries/query-context';
import { createHistoryReader } from '@/server/queries/history-reader';
import { createUsualHistory } from '@/server/queries/usual-history';
import { knownLocks } from '@/server/state/known-locks';
import { createLockTable } from '@/server/state/lock-table';
import { createIntendedOrders } from '@/server/store/intended-orders';
import { createRecorder } from '@/server/store/recorder';
import { createStore } from '@/server/store/store';
import { DEFAULT_RETENTION } from '@/server/store/tiers';
import { createLockNames } from '@/server/watch/trace/lock-names';
import { createTraces } from '@/server/watch/trace/trace-book';
import { createWatch } from '@/server/watch/watch';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

export const TARGET = 'main';

export const anActor = (role: Role, overrides: Partial<Actor> = {}): Actor => ({
  id: `id:${role}`,
  name: `${role}@example.org`,
  role,
  kind: 'user',
  namespaces: null,
  ...overrides,
});

const configOf = (redis: TestRedis, dataDir: string): Config => ({
  redis: {
    url: redis.url,
    displayUrl: redis.url,
    setting: 'url',
    mode: 'standalone',
    db: 0,
    namesDb: true,
  },
  provider: {
    file: 'config/lock.yaml',
    enabled: true,
    lockTimeoutMs: 30_000,
    retryDelayMs: null,
    lockKeyTemplates: [],
  },
  watchPatterns: ['inv:*', 'Schloss*'],
  watchEverything: false,
  dbs: [0],
  host: '127.0.0.1',
  port: 0,
  databaseUrl: null,
  dataDir,
  adminToken: null,
  metricsToken: null,
  classes: [],
  retention: DEFAULT_RETENTION,
  longHoldMs: 60_000,
  longHoldMsByClass: new Map(),
  noExpiryMs: 30_000,
  allowInsecureRedis: true,
  authSecret: 'x'.repeat(40),
  listenUrl: 'http://localhost',
  publicUrl: 'http://localhost',
});

/** The parts of the server on a Redis of its own, joined as the runtime joins them, without HTTP. */
export interface TestServer {
  redis: TestRedis;
  client: Redis;
  context: ServerContext;
  as: (role: Role, overrides?: Partial<Actor>) => QueryContext;
  onChange: (listener: () => void) => () => void;
  /** Waits until the lock of db 0 looks as wanted, and returns its detail. */
  lock: (key: Bytes, is?: (lock: LockDetail) => boolean) => Promise<LockDetail>;
  stop: () => Promise<void>;
}

export const addressOf = (key: Bytes) => ({ target: TARGET, db: 0, keyB64: toBase64Url(key) });

/** `acl`: the rules of the user that the console connects as, instead of the default user. */
export async function startServer(
  options: {
    acl?: string[];
    redis?: Parameters<typeof startRedis>[0];
    provider?: Partial<Config['provider']>;
  } = {},
): Promise<TestServer> {
  const redis = await startRedis(options.redis);
  const { acl } = options;
  if (acl) await redis.client().call('ACL', 'SETUSER', 'watcher', 'on', '>pw', ...acl);
  const url = acl ? redis.url.replace('//', '//watcher:pw@') : redis.url;
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-server-'));
  const defaults = configOf(redis, dataDir);
  const config: Config = {
    ...defaults,
    redis: { ...defaults.redis, url },
    provider: { ...defaults.provider, ...options.provider },
  };
  const now = Date.now;
  const store = createStore({ databaseUrl: null, dataDir, now });
  await store.start();
  const formats = createFormatsInUse(createPinBook(await store.pins(TARGET)), config);
  const watch = createWatch({
    url,
    id: TARGET,
    mode: 'standalone',
    db: 0,
    dbs: [0],
    patterns: config.watchPatterns,
    everything: false,
    allowInsecureRedis: true,
    formats: formats.table,
    now,
  });
  const table = createLockTable({
    target: TARGET,
    formats: formats.table,
    isDeclared: (_db, key) => formats.isDeclared(key),
    isWatched: formats.isWatched,
    classify: (key) => classify(key),
  });
  const rules = createRules(config);
  const silences = createSilences();
  const analysis = createAnalysis({ ...config, thresholdOf: rules.thresholdOf });
  const intendedOrders = createIntendedOrders({ store, target: TARGET, orders: analysis.orders });
  const labelsOf = createLabels(table);
  const alerts = createAlertBook({ target: TARGET, rules, silences, labelsOf });
  const recorder = createRecorder({ store, target: TARGET, now, find: table.get });
  const listeners = new Set<() => void>();
  const publish = (): void => listeners.forEach((listener) => listener());
  const lockIndex = createLockIndex();
  const notifier = createNotifier({
    ...{ store, target: TARGET, alerts, rules, publish, now },
    gaveUp: (times) => recorder.gaveUp(times),
    publicUrl: config.publicUrl,
    authSecret: config.authSecret,
  });
  const pipeline = joinPipeline({
    ...{ watch, table, lockIndex, analysis, alerts, recorder, store, notifier, now, publish },
    classTotals: new ClassTotals({ startedAt: now(), classify }),
  });
  const traces = createTraces({
    target: TARGET,
    url,
    formats: formats.table,
    locks: knownLocks(table),
    mayBeLock: createLockNames({ formats: formats.table, globs: config.watchPatterns }),
    deliver: (sample) => pipeline.observe([sample]),
    onChange: publish,
    now,
    // Beside a busy machine Redis and this process are slow for other reasons than the trace.
    guard: () => ({ judge: () => null }),
  });
  const discoveries = createDiscoveries({
    connection: watch.commandConnection,
    formats: formats.table,
    isWatched: formats.isWatched,
    now,
  });
  const history = createHistoryReader({ store, recorder, targetId: TARGET });
  const context: ServerContext = {
    ...{ config, targetId: TARGET, watch, table, analysis, alerts, recorder, store, traces, now },
    ...{ formats, discoveries, rules, silences, intendedOrders, notifier },
    observe: pipeline.observe,
    startedAt: now(),
    lockIndex,
    history,
    adviceMemory: createAdviceMemory(),
    usualHistory: createUsualHistory({ history, usual: analysis.usual, now }),
  };
  await notifier.start();
  await watch.start();
  await until('the watch is ready', () => watch.ready);
  const as: TestServer['as'] = (role, overrides) => ({
    ...context,
    actor: anActor(role, overrides),
  });
  return {
    ...{ redis, context, as },
    client: redis.client(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    lock: (key, is = (lock) => lock.hold !== null && lock.hold.owner.id !== '') =>
      until(`the lock ${key}`, async () => {
        if (!table.get(0, key)) return null;
        const detail = asDetail(await runQuery(as('admin'), 'lock', addressOf(key)));
        return is(detail) ? detail : null;
      }),
    stop: async () => {
      await discoveries.end();
      await traces.stop();
      pipeline.stop();
      await notifier.stop();
      await watch.stop();
      await recorder.stop();
      await store.stop();
      await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** `runQuery('lock')` answers a lock's detail; its result is typed for any query. */
const asDetail = (result: unknown): LockDetail => result as LockDetail;

export const text = bytesFromText;
