import type { Redis } from 'ioredis';
import { PREFIX as SIDEKIQ_PREFIX } from '@/lib/formats/sidekiq-names';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ProbeLoad } from '@/lib/protocol/target';
import { isRefusal } from '@/server/redis/redis-error';
import { parseInfo } from '@/server/redis/info';
import { CHANGELOG_KEY, createChangelogWatch } from './changelog-watch';
import { createChannelWatch, type IdleChannels } from './channel-watch';
import { createClientWatch, type ClientQuestion } from './client-watch';
import { createIndexWatch } from './index-watch';
import { createJobLook } from './job-look';
import type { KeyReaderOptions } from './key-reader';
import type { Observation, ReadObservation } from './observation';
import { createProbeLoads, spentOn, type ProbeLoads } from './probe-load';
import { createPubsubQuestions } from './pubsub';
import type { ServerFacts } from './server-facts';
import { createWaiterProbe, type ProbedLock } from './waiter-probe';
import type { JobRef } from './watch-contract';

/** Each console shows itself by a canary every 5 s. */
const OTHER_CONSOLE_MS = 15_000;

/** Everything that is asked of Redis to see who waits and who is there, and what it costs. */
export interface Evidence {
  /** What a status tells of it. */
  readonly status: { probes: readonly ProbeLoad[]; idle: IdleChannels };
  /** What reads take from here: `mayAskIdle` = whether it tells anything how long a key lay untouched. */
  forReads: Required<Pick<KeyReaderOptions, 'isAlive' | 'listened' | 'mayAskIdle' | 'onIdleAsked'>>;
  onRead: (read: ReadObservation) => void;
  /** Another console watches the same keys: its reads touch them as a waiting client would. */
  onOtherConsole: () => void;
  /** An event of a key came, or a sweep found it. */
  onKey: (db: number, key: Bytes) => void;
  countWaiters: (redis: Redis) => Promise<void>;
  listChannels: (redis: Redis) => Promise<void>;
  listClients: (redis: Redis) => Promise<void>;
  readLogs: (connection: (db: number) => Promise<Redis>) => Promise<void>;
  countIndexes: (connection: (db: number) => Promise<Redis>) => Promise<void>;
  lookForJobs: (connection: (db: number) => Promise<Redis>) => Promise<void>;
  /** Takes in how much time Redis says that these questions took. */
  measure: (redis: Redis) => Promise<void>;
}

export interface EvidenceOptions {
  facts: Pick<ServerFacts, 'version' | 'capabilities'>;
  dbs: readonly number[];
  probes: () => ProbedLock[];
  question: () => ClientQuestion;
  jobs: () => JobRef[];
  waiterChannel: (key: Bytes, owner: Bytes) => Bytes | null;
  /** How long a channel must be listened to for nothing to be told. */
  idleAfterMs: () => number;
  /** Whether events of this key come. */
  isFollowed: (key: Bytes) => boolean;
  read: (db: number, key: Bytes) => void;
  deliver: (observations: readonly Observation[]) => void;
  now: () => number;
}

export function createEvidence(options: EvidenceOptions): Evidence {
  const { facts, dbs, read, deliver, now } = options;
  const loads = createProbeLoads(now);
  const pubsub = createPubsubQuestions({ mayShard: () => hasSharded(facts.version), now });
  const channels = createChannelWatch({
    ...options,
    ...{ pubsub, loads, dbs, read, now },
    mayListClients: () => facts.capabilities.client,
  });
  const waiters = createWaiterProbe({
    pubsub,
    loads,
    probes: () => joined(options.probes(), channels.probes()),
    waiterChannel: options.waiterChannel,
    deliver,
    onAlivenessChanged: read,
    now,
  });
  const clients = createClientWatch({
    loads,
    question: () => (facts.capabilities.client ? options.question() : null),
    deliver: (seen) => deliver([seen]),
    now,
  });
  const changelog = createChangelogWatch({ loads, deliver, now });
  let otherConsoleAt = Number.NEGATIVE_INFINITY;
  const indexes = createIndexWatch({ deliver, now });
  const jobs = createJobLook({ loads, jobs: options.jobs, deliver, now });
  return {
    get status() {
      return { probes: loads.loads, idle: channels.idle };
    },
    forReads: {
      isAlive: waiters.isAlive,
      listened: channels.listened,
      mayAskIdle: () => now() - otherConsoleAt > OTHER_CONSOLE_MS,
      onIdleAsked: (keys) => loads.asked('idle-time', { commands: keys, ms: null, locks: keys }),
    },
    onKey: (db, key) => {
      // Asked for every event.
      channels.onEvent(key);
      if (!key.startsWith(SIDEKIQ_PREFIX)) return;
      if (key === CHANGELOG_KEY) changelog.note(db);
      else indexes.note(db, key);
    },
    onOtherConsole: () => {
      otherConsoleAt = now();
    },
    countWaiters: waiters.run,
    listChannels: channels.run,
    listClients: clients.run,
    readLogs: changelog.run,
    countIndexes: indexes.run,
    lookForJobs: jobs.run,
    onRead: (observation) => {
      if (observation.queue !== null) waiters.observe(observation);
      channels.onRead(observation);
    },
    measure: async (redis) => {
      if (facts.capabilities.info && loads.loads.length > 0) await measure(loads, redis);
    },
  };
}

async function measure(loads: ProbeLoads, redis: Redis): Promise<void> {
  try {
    loads.spent(spentOn(parseInfo(await redis.info('commandstats'))));
  } catch (error) {
    // Then the time spent stays unknown, which the page says; INFO itself is asked elsewhere.
    if (!isRefusal(error)) throw error;
  }
}

/** Redis 7.0; a version that is not told is asked. */
const hasSharded = (version: string | null): boolean =>
  version === null || Number.parseInt(version, 10) >= 7;

/** What the table asks for, and what is listened to without its asking. */
function joined(known: readonly ProbedLock[], listened: readonly ProbedLock[]): ProbedLock[] {
  if (listened.length === 0) return [...known];
  const others = new Map<number, Map<Bytes, ProbedLock>>();
  for (const lock of listened) {
    const ofDb = others.get(lock.db) ?? new Map<Bytes, ProbedLock>();
    others.set(lock.db, ofDb.set(lock.key, lock));
  }
  for (const { db, key } of known) others.get(db)?.delete(key);
  return [...known, ...[...others.values()].flatMap((ofDb) => [...ofDb.values()])];
}
