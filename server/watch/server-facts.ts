import type { Redis } from 'ioredis';
import { clientRow, keysPerDb, parseInfo } from '@/server/redis/info';
import { isRefusal } from '@/server/redis/redis-error';
import { notifyFlagsOf, replicasIn, type ReplicaAddress } from '@/server/redis/replicas';

export type Capability = 'config' | 'info' | 'client' | 'eval' | 'pubsub';

/** What the server says of itself, as far as this user may ask. */
export interface ServerFacts {
  version: string | null;
  runId: string | null;
  role: 'primary' | 'replica' | 'unknown';
  /** A node of a Redis Cluster; false where INFO is forbidden. */
  isCluster: boolean;
  replicas: number;
  followers: ReplicaAddress[];
  /** By `host:port`, their `notify-keyspace-events`; null = it could not be asked. */
  replicaFlags: Map<string, string | null>;
  loading: boolean;
  maxMemory: number | null;
  evictionPolicy: string | null;
  keys: Map<number, number> | null;
  /** What of its data Redis could not save the last time. */
  failedSave: 'snapshot' | 'append-log' | null;
  /** Whether a failed snapshot makes Redis refuse writes; null where CONFIG is forbidden, or none failed. */
  stopsWrites: boolean | null;
  /** Clients cut off for slow reading since the start; null on versions that do not count them. */
  cutClients: number | null;
  notifyFlags: string | null;
  databases: number | null;
  /** Whether an operator is told to set flags by CONFIG or at the provider. */
  capabilities: Record<Capability, boolean>;
}

export function createServerFacts(): ServerFacts {
  return {
    version: null,
    runId: null,
    role: 'unknown',
    isCluster: false,
    replicas: 0,
    followers: [],
    replicaFlags: new Map(),
    loading: false,
    maxMemory: null,
    evictionPolicy: null,
    keys: null,
    failedSave: null,
    stopsWrites: null,
    cutClients: null,
    notifyFlags: null,
    databases: null,
    capabilities: { config: true, info: true, client: true, eval: true, pubsub: true },
  };
}

/** Runs `ask`; a refusal turns the capability off, an answer turns it on again. Null when refused. */
async function attempt<T>(
  facts: ServerFacts,
  capability: Capability,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    const answer = await ask();
    facts.capabilities[capability] = true;
    return answer;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    facts.capabilities[capability] = false;
    return null;
  }
}

const numberOf = (fields: ReadonlyMap<string, string>, name: string): number | null => {
  const text = fields.get(name);
  return text === undefined ? null : Number(text);
};

export async function refreshInfo(facts: ServerFacts, redis: Redis): Promise<void> {
  const text = await attempt(facts, 'info', async () => await redis.info());
  if (text !== null) applyInfo(facts, text);
}

const cutClientsOf = (fields: ReadonlyMap<string, string>): number | null =>
  numberOf(fields, 'client_output_buffer_limit_disconnections');

/** How many clients were cut off for full buffers, by what INFO says; null where it does not (Redis 8 does, 7.0 does not). */
export const cutClientsIn = (info: string): number | null => cutClientsOf(parseInfo(info));

export function applyInfo(facts: ServerFacts, text: string): void {
  const fields = parseInfo(text);
  const role = fields.get('role');
  facts.version = fields.get('redis_version') ?? facts.version;
  facts.runId = fields.get('run_id') ?? facts.runId;
  if (role !== undefined) facts.role = role === 'master' ? 'primary' : 'replica';
  facts.isCluster = fields.get('cluster_enabled') === '1';
  facts.replicas = numberOf(fields, 'connected_slaves') ?? facts.replicas;
  facts.followers = replicasIn(fields);
  facts.loading = fields.get('loading') === '1';
  facts.maxMemory = numberOf(fields, 'maxmemory') ?? facts.maxMemory;
  facts.evictionPolicy = fields.get('maxmemory_policy') ?? facts.evictionPolicy;
  facts.failedSave = failedSave(fields);
  facts.cutClients = cutClientsOf(fields) ?? facts.cutClients;
  facts.keys = keysPerDb(fields);
}

export async function refreshConfig(facts: ServerFacts, redis: Redis): Promise<void> {
  const reply = await attempt(
    facts,
    'config',
    async () => await redis.config('GET', 'notify-keyspace-events'),
  );
  facts.notifyFlags = reply === null ? null : configValue(reply);
  facts.stopsWrites = facts.failedSave === 'snapshot' ? await stopsWrites(facts, redis) : null;
  if (facts.capabilities.config && facts.databases === null) {
    const databases = configValue(await redis.config('GET', 'databases'));
    facts.databases = databases === null ? null : Number(databases);
  }
}

function failedSave(fields: ReadonlyMap<string, string>): ServerFacts['failedSave'] {
  if (fields.get('aof_last_write_status') === 'err') return 'append-log';
  return fields.get('rdb_last_bgsave_status') === 'err' ? 'snapshot' : null;
}

/** A Redis without save points is never asked to save, and writes on when a BGSAVE by hand fails. */
async function stopsWrites(facts: ServerFacts, redis: Redis): Promise<boolean | null> {
  if (!facts.capabilities.config) return null;
  const stops = configValue(await redis.config('GET', 'stop-writes-on-bgsave-error'));
  const points = configValue(await redis.config('GET', 'save'));
  return stops === null ? null : stops === 'yes' && points !== '';
}

/** Asks each replica what it would announce as a primary; `url` is the address of the server they follow. */
export async function refreshReplicas(facts: ServerFacts, url: string): Promise<void> {
  const asked = facts.followers.map(
    async (replica) => [replica.address, await notifyFlagsOf(url, replica)] as const,
  );
  facts.replicaFlags = new Map(await Promise.all(asked));
}

function configValue(reply: unknown): string | null {
  if (!Array.isArray(reply)) return null;
  const [, value] = reply;
  return typeof value === 'string' ? value : null;
}

/** Bytes that Redis holds back for our event connection; null when it may not be asked. */
export async function eventBacklog(
  facts: ServerFacts,
  redis: Redis,
  clientId: number,
): Promise<number | null> {
  const text = await attempt(facts, 'client', async () => await ownClientRow(redis, clientId));
  if (text === null) return null;
  const omem = clientRow(text).get('omem');
  return omem === undefined ? null : Number(omem);
}

/** Empty before Redis 6.2, where CLIENT LIST cannot be asked for one id. */
async function ownClientRow(redis: Redis, clientId: number): Promise<string> {
  try {
    return String(await redis.call('CLIENT', ['LIST', 'ID', String(clientId)]));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('ERR syntax')) return '';
    throw error;
  }
}

export async function probePubsub(facts: ServerFacts, redis: Redis): Promise<boolean> {
  const answer = await attempt(
    facts,
    'pubsub',
    async () => await redis.pubsub('NUMSUB', 'lockscope:probe'),
  );
  return answer !== null;
}
