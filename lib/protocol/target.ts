import { z } from 'zod';
import { Evidence } from './lock';
import { Sentence } from './sentence';

export const GapReason = z.enum([
  'console-stopped',
  'connection-lost',
  'buffer-cut',
  /** Lost while Redis cut off a client, of which nothing tells whether it was we. */
  'perhaps-buffer-cut',
  'canary-lost',
  'server-restarted',
  'not-written',
  'clock-set-back',
]);
export type GapReason = z.infer<typeof GapReason>;

/** A span in which events may have been missed. `to` is null while it lasts. */
export const Gap = z.object({
  from: z.number().int(),
  to: z.number().int().nullable(),
  reason: GapReason,
});
export type Gap = z.infer<typeof Gap>;

/** `null` = could not be found out. */
export const CanSee = z.object({
  acquire: z.boolean().nullable(),
  release: z.boolean().nullable(),
  lapse: z.boolean().nullable(),
  eviction: z.boolean().nullable(),
});
export type CanSee = z.infer<typeof CanSee>;

export const TargetWarning = z.object({
  /** One of the alert codes. */
  code: z.string(),
  message: z.string(),
  /** What to do, exact enough to paste. */
  remedy: z.string(),
  /** `message` and `remedy` for the reader's own language. */
  sentences: z.object({ message: z.array(Sentence), remedy: z.array(Sentence) }).optional(),
  /** Left out = observed. */
  evidence: Evidence.optional(),
});
export type TargetWarning = z.infer<typeof TargetWarning>;

export const TargetNode = z.object({
  addr: z.string(),
  role: z.enum(['primary', 'replica', 'unknown']),
  runId: z.string().nullable(),
  version: z.string().nullable(),
  connected: z.boolean(),
  canSee: CanSee,
  /** Kinds of lock whose acquisitions are seen; `acquire` alone can be true for strings and not hashes. */
  acquireOf: z.object({
    string: z.boolean().nullable(),
    hash: z.boolean().nullable(),
    zset: z.boolean().nullable(),
  }),
  /** `notify-keyspace-events` as read, or null where CONFIG is forbidden. */
  notifyFlags: z.string().nullable(),
  missingClasses: z.array(z.string()),
  patterns: z.array(z.string()),
  canaryMs: z.number().nullable(),
  canaryAt: z.number().int().nullable(),
  lastEventAt: z.number().int().nullable(),
  eventsTotal: z.number().int(),
  eventsPerSecond: z.number(),
  gaps: z.array(Gap),
  sweep: z.object({
    running: z.boolean(),
    scanned: z.number().int(),
    keys: z.number().int().nullable(),
    locks: z.number().int(),
    finishedAt: z.number().int().nullable(),
  }),
});
export type TargetNode = z.infer<typeof TargetNode>;

/** What is asked of Redis again and again to see who waits, and what that costs. */
export const ProbeLoad = z.object({
  /**
   * `subscribers`: PUBSUB NUMSUB and SHARDNUMSUB. `channels`: PUBSUB CHANNELS. `clients`: CLIENT LIST. `idle-time`:
   * OBJECT IDLETIME within reads. `changelog`: sidekiq's list of refusals. `jobs`: LPOS, whether jobs are active.
   */
  kind: z.enum(['subscribers', 'channels', 'clients', 'idle-time', 'changelog', 'jobs']),
  /** Commands a second, over the last minute. */
  perSecond: z.number(),
  /** From question to answer, the last time; null where it was not asked yet or goes with other reads. */
  lastMs: z.number().nullable(),
  /** Locks or channels asked for the last time. */
  locks: z.number().int(),
  /**
   * Time inside Redis (microseconds a second) over the last minute, of all clients that send these commands; null
   * where it cannot be asked.
   */
  usecPerSecond: z.number().nullable(),
});
export type ProbeLoad = z.infer<typeof ProbeLoad>;

/** A wake-up channel that somebody listens to although its lock has not been held for long. */
export const IdleChannel = z.object({
  channel: z.string(),
  subscribers: z.number().int(),
  /** Since when its lock has not been seen held, epoch ms. */
  since: z.number().int(),
  /** False = no events of its lock come, so that one held for less than some seconds may have been missed. */
  isFollowed: z.boolean(),
});
export type IdleChannel = z.infer<typeof IdleChannel>;

/** A client that listens to channels; to which, Redis does not tell. */
export const ChannelClient = z.object({
  /** `127.0.0.1:53422`, as CLIENT LIST has it. */
  addr: z.string(),
  /** As it calls itself; empty where it does not. */
  name: z.string(),
  channels: z.number().int(),
});
export type ChannelClient = z.infer<typeof ChannelClient>;

export const Target = z.object({
  id: z.string(),
  mode: z.enum(['standalone', 'sentinel', 'cluster', 'redlock']),
  dbs: z.array(z.number().int()),
  watch: z.array(z.string()),
  nodes: z.array(TargetNode),
  capabilities: z.object({
    config: z.boolean(),
    info: z.boolean(),
    client: z.boolean(),
    eval: z.boolean(),
    pubsub: z.boolean(),
  }),
  /** The exact ACL rule that would grant what a false capability lacks. */
  missingRules: z.array(z.object({ capability: z.string(), rule: z.string() })),
  unwatchedDbs: z.array(z.number().int()),
  warnings: z.array(TargetWarning),
  /** From question to answer over the console's own event connection, of the last five minutes; left out = too few. */
  roundTrip: z.object({ p50Ms: z.number(), p99Ms: z.number(), count: z.number().int() }).optional(),
  /** Left out = nothing is asked. */
  probes: z.array(ProbeLoad).optional(),
  /** The longest idle first, at most 100; left out = none. */
  idleChannels: z.array(IdleChannel).optional(),
  /** How many there are, of which those above are the longest; left out = none. */
  idleChannelCount: z.number().int().optional(),
  /** Who may listen to those: the clients with most channels first, at most 20; left out = nobody can tell. */
  channelClients: z.array(ChannelClient).optional(),
});
export type Target = z.infer<typeof Target>;
