import { createConfigReader, createConfigWriter } from '@/lib/lock/hot-config/index';
import { createLockClient } from '@/lib/lock/index';
import { monotonicMs } from '@/test/perf/lock/clock';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { settings, type Job, type Settings } from './job';
import { startReaders } from './readers';

export interface Course {
  readers: number;
  processes: number;
  changes: number;
  /** Replicas below each Redis of the tree. */
  fanOut: number;
}

/** A link that was just made holds its first writes back for a moment; these changes are not counted. */
const WARM_UP = 5;
/** Between changes, so that each is measured alone. */
const REST_MS = 150;
const NAME = 'bench';

/** Ms from asking for a change to each reader having it, change by change; and ms of each change itself. */
export async function measureUpdates(
  course: Course,
  subscriptions: Job['subscriptions'],
): Promise<{ tookMs: number[][]; changeMs: number[] }> {
  const server = await startRedis({
    flags: '',
    args: ['--maxclients', `${course.readers + 200}`, '--tcp-backlog', '511'],
  });
  const redis = server.client();
  const client = createLockClient({ redis, allowInsecure: true });
  const writer = createConfigWriter<Settings>({ client, redis, name: NAME });
  const job: Job = { port: server.port, name: NAME, readers: course.readers, subscriptions };
  const stops = [() => client.close(), () => server.stop()];
  try {
    await writer.replace(settings(0, monotonicMs()));
    const readers = await startReaders(job, course.processes);
    stops.unshift(readers.stop);
    const tookMs: number[][] = [];
    const changeMs: number[] = [];
    for (let change = 1; change <= course.changes; change++) {
      await pause(REST_MS);
      const updated = readers.updated(change);
      const askedAt = monotonicMs();
      await writer.replace(settings(change, askedAt));
      changeMs.push(monotonicMs() - askedAt);
      tookMs.push(await updated);
    }
    return { tookMs, changeMs };
  } finally {
    for (const stop of stops) await stop();
  }
}

/**
 * Ms that a change needs from one Redis to a replica of it, each feeding `fanOut` replicas: half of what it
 * comes later two levels below.
 */
export async function measureHops({ fanOut, changes }: Course): Promise<number[]> {
  const servers: TestRedis[] = [];
  const level = async (above: TestRedis | null, count: number): Promise<TestRedis[]> => {
    const link = above ? ['--replicaof', '127.0.0.1', `${above.port}`] : [];
    const args = ['--repl-diskless-sync-delay', '0', '--repl-diskless-load', 'swapdb', ...link];
    const started: TestRedis[] = [];
    for (let i = 0; i < count; i++) started.push(await startRedis({ flags: '', args }));
    servers.unshift(...started);
    for (const each of started) await linked(each);
    return started;
  };
  try {
    const [main] = await level(null, 1);
    if (!main) return [];
    const [first] = await level(main, fanOut);
    const [second] = await level(first ?? main, fanOut);
    return await timeHops([main, second ?? main], changes);
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function linked(server: TestRedis): Promise<void> {
  const redis = server.client();
  await until(
    'a replica stands',
    async () => !/master_link_status:down/.test(await redis.info('replication')),
    30_000,
  );
}

async function timeHops(levels: [TestRedis, TestRedis], changes: number): Promise<number[]> {
  const [main] = levels;
  const redis = main.client();
  const client = createLockClient({ redis, allowInsecure: true });
  const writer = createConfigWriter<Settings>({ client, redis, name: NAME });
  const arrivals = levels.map(() => new Map<number, number>());
  const readers = levels.map((server, i) =>
    createConfigReader<Settings>({
      redis: server.client(),
      name: NAME,
      onChange: ({ content }) => arrivals[i]?.set(content.change, monotonicMs()),
    }),
  );
  await Promise.all(readers.map((reader) => reader.ready()));
  for (let change = 1; change <= WARM_UP + changes; change++) {
    const { version } = await writer.replace(settings(change, monotonicMs()));
    await Promise.all(readers.map((reader) => reader.waitFor(version)));
    await pause(1);
  }
  for (const reader of readers) reader.close();
  await client.close();
  const [above, below] = arrivals;
  return [...(above ?? [])]
    .filter(([change]) => change > WARM_UP)
    .map(([change, at]) => Math.max(0, ((below?.get(change) ?? at) - at) / 2));
}
