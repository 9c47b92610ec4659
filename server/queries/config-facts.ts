import type { Redis } from 'ioredis';
import { formatTable } from '@/lib/formats';
import type { LockFormat } from '@/lib/formats/format';
import { isCodedError } from '@/lib/protocol/errors';
import type { Target } from '@/lib/protocol/target';
import type { SeenMultiLocks } from '@/server/analysers/multi-locks';
import type { ProviderSettings } from '@/server/config';
import {
  answersWithoutPassword,
  displayAddress,
  hasPassword,
  userOf,
} from '@/server/redis/connection-options';
import { compileGlob } from '@/lib/analysis/glob';
import { parseInfo } from '@/server/redis/info';
import { isLostConnection, isRefusal } from '@/server/redis/redis-error';
import { redisCliAt, redisCliOfReplica } from '@/server/redis/redis-cli';
import { notifyFlagsOf, replicasIn, type ReplicaAddress } from '@/server/redis/replicas';
import { inTurns } from './in-turns';
import { bytesFromPrintable } from './printed-key';
import type { ServerContext } from './query-context';

/** What CONFIG is asked for. */
const CONFIG_NAMES = [
  'maxmemory-policy',
  'appendonly',
  'appendfsync',
  'save',
  'client-output-buffer-limit',
  'min-replicas-to-write',
  'min-replicas-max-lag',
  'timeout',
  'tcp-keepalive',
  'notify-keyspace-events',
] as const;
export type ConfigName = (typeof CONFIG_NAMES)[number];

const MOST_NAMED = 3;
/** Looked for in dbs that are not watched, whose keys are read by name alone: a few, now and then. */
const MOST_DBS = 5;
const MOST_CLASSES = 200;
const SCAN_CALLS = 5;
const SCAN_COUNT = 1_000;

export interface Replica extends ReplicaAddress {
  /** Its `notify-keyspace-events`; null = it could not be asked. */
  flags: string | null;
  /** `redis-cli` for it. */
  cli: string;
}

/** Everything that the checks judge; null = it may not be asked, or was not answered. */
export interface ConfigFacts {
  user: string;
  address: string;
  /** `redis-cli` for the server, to begin a line with. */
  cli: string;
  target: Target;
  provider: ProviderSettings;
  info: ReadonlyMap<string, string> | null;
  config: ReadonlyMap<ConfigName, string> | null;
  /** Of the user that the console connects as. */
  rights: { flags: readonly string[]; commands: string } | null;
  replicas: readonly Replica[] | null;
  /** Whether somebody gets in without a password. */
  isOpen: boolean | null;
  locks: LockFacts;
  multiLocks: SeenMultiLocks;
  bufferCut: boolean;
}

export interface LockFacts {
  /** Classes whose locks are in several dbs. */
  several: { class: string; dbs: number[] }[];
  /** Locks that are named after an empty variable, as the alert says it. */
  empty: { count: number; key: string } | null;
  formats: readonly LockFormat[];
}

/** The answer, or null where this user may not ask or nobody answers. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isRefusal(error) || isLostConnection(error) || isCodedError(error)) return null;
    throw error;
  }
}

async function readConfig(redis: Redis): Promise<ConfigFacts['config']> {
  const values = new Map<ConfigName, string>();
  for (const name of CONFIG_NAMES) {
    // One by one: before Redis 7 it takes no more than one.
    const reply: unknown = await redis.config('GET', name);
    const value: unknown = Array.isArray(reply) ? reply[1] : undefined;
    if (typeof value === 'string') values.set(name, value);
  }
  return values;
}

/** `ACL GETUSER` answers a flat list of names and values. */
async function readRights(redis: Redis): Promise<ConfigFacts['rights']> {
  const user = String(await redis.call('ACL', 'WHOAMI'));
  const reply: unknown = await redis.call('ACL', 'GETUSER', user);
  const list: unknown[] = Array.isArray(reply) ? reply : [];
  const valueOf = (name: string): unknown => list[list.indexOf(name) + 1];
  const flags = valueOf('flags');
  return {
    flags: Array.isArray(flags) ? flags.map(String) : [],
    commands: String(valueOf('commands')),
  };
}

async function readReplicas(
  url: string,
  info: ReadonlyMap<string, string> | null,
): Promise<ConfigFacts['replicas']> {
  if (!info) return null;
  return await Promise.all(
    replicasIn(info).map(async (each) => ({
      ...each,
      flags: await notifyFlagsOf(url, each),
      cli: redisCliOfReplica(url, each),
    })),
  );
}

/** Adds the dbs that are not watched in which a few thousand keys show one of these classes. */
async function addElsewhere(
  { watch }: ServerContext,
  classes: ReadonlyMap<string, Set<number>>,
): Promise<void> {
  const globs = [...classes]
    .slice(0, MOST_CLASSES)
    .map(([name, dbs]) => ({ dbs, matches: compileGlob(bytesFromPrintable(name)) }));
  for (const db of watch.status().unwatchedDbs.slice(0, MOST_DBS)) {
    await orNull(async () => {
      const redis = await watch.commandConnection(db);
      let cursor = '0';
      for (let call = 0; call < SCAN_CALLS; call++) {
        const [next, keys] = await redis.scanBuffer(cursor, 'COUNT', SCAN_COUNT);
        await inTurns(keys, (key) => {
          const bytes = key.toString('latin1');
          for (const { dbs, matches } of globs) if (matches(bytes)) dbs.add(db);
        });
        cursor = next.toString();
        if (cursor === '0') return;
      }
    });
  }
}

async function lockFacts(context: ServerContext): Promise<LockFacts> {
  const { table, alerts } = context;
  const dbs = new Map<string, Set<number>>();
  const formats = new Set<string>();
  await inTurns(table.all(), (lock) => {
    formats.add(lock.format.id);
    const known = dbs.get(lock.class) ?? new Set<number>();
    dbs.set(lock.class, known.add(lock.db));
  });
  await addElsewhere(context, dbs);
  const empty = alerts.open().filter(({ code }) => code === 'empty-key');
  const [first] = empty;
  return {
    several: [...dbs]
      .filter(([, of]) => of.size > 1)
      .slice(0, MOST_NAMED)
      .map(([name, of]) => ({ class: name, dbs: [...of].toSorted((a, b) => a - b) })),
    empty: first ? { count: empty.length, key: first.subject.label } : null,
    formats: formatTable.formats.filter(({ id }) => formats.has(id)),
  };
}

/** Reads all that the checks need. What may not be asked is null; throws only for what nobody expects. */
export async function readConfigFacts(context: ServerContext): Promise<ConfigFacts> {
  const { analysis, config, watch, now } = context;
  const { url, db } = config.redis;
  const target = watch.status();
  const redis = await orNull(async () => await watch.commandConnection(db));
  const ask = async <T>(question: (to: Redis) => Promise<T>): Promise<T | null> =>
    redis ? await orNull(async () => await question(redis)) : null;
  const info = await ask(async (to) => parseInfo(await to.info()));
  const dayAgo = now() - 86_400_000;
  return {
    user: userOf(url),
    address: displayAddress(url),
    cli: redisCliAt(url),
    target,
    provider: config.provider,
    info,
    config: await ask(readConfig),
    rights: await ask(readRights),
    replicas: await readReplicas(url, info),
    isOpen: redis ? !hasPassword(url) || (await answersWithoutPassword(url)) : null,
    locks: await lockFacts(context),
    multiLocks: analysis.multiLocks(now()),
    bufferCut: target.nodes.some(({ gaps }) =>
      gaps.some(({ reason, to }) => reason === 'buffer-cut' && (to ?? Infinity) >= dayAgo),
    ),
  };
}
