import { z } from 'zod';
import { TRACE_STATES, TRACE_STOPS } from './closed-sets';
import { Evidence } from './lock';

export const TraceState = z.enum(TRACE_STATES);
export type TraceState = z.infer<typeof TraceState>;

export const TraceStop = z.enum(TRACE_STOPS);
export type TraceStop = z.infer<typeof TraceStop>;

/** A client of the traced Redis by its address; the names where it gives them. */
const TracedAddress = z.object({ addr: z.string(), name: z.string().nullable() });

const Attempts = z.object({ attempts: z.number().int(), failed: z.number().int() });

export const TracedKey = Attempts.extend({
  db: z.number().int(),
  key: z.string(),
  keyB64: z.string(),
  /** Left out where the key is known by its name alone. */
  format: z.string().optional(),
  renewals: z.number().int(),
  releases: z.number().int(),
  /** Commands that only read it: a poller that asks before it tries. */
  looks: z.number().int(),
  /** Attempts per second, on average over the trace. */
  perSecond: z.number(),
  /** Failed attempts in the worst second. */
  failedPerSecond: z.number().int(),
  /** Those with most failed attempts; `clientCount` is the whole number. */
  clients: z.array(TracedAddress.extend(Attempts.shape)),
  clientCount: z.number().int(),
  /** Clients that were seen to block or subscribe for it. */
  waiting: z.number().int(),
  storm: z.boolean(),
  /** `inferred`: some failures follow from what was known of the lock, not from what the commands did. */
  evidence: Evidence,
});
export type TracedKey = z.infer<typeof TracedKey>;

export const TracedClient = TracedAddress.extend(Attempts.shape).extend({
  libName: z.string().nullable(),
  perSecond: z.number(),
  failedPerSecond: z.number().int(),
  keys: z.number().int(),
  hot: z.boolean(),
});
export type TracedClient = z.infer<typeof TracedClient>;

/** What the trace costs the traced Redis and the console; null = may not be asked. */
export const TraceCost = z.object({
  /** Of the last second; of the whole trace once it has ended. */
  linesPerSecond: z.number(),
  bytesPerSecond: z.number(),
  pingMs: z.number().nullable(),
  pingWorstMs: z.number().nullable(),
  pingBaselineMs: z.number().nullable(),
  /** Share of one core that Redis uses, 0 to 1 and above where it has several threads. */
  redisCpuShare: z.number().nullable(),
  /** Before the trace. */
  redisCpuBaseline: z.number().nullable(),
  /** What Redis holds back for the trace. */
  outputBufferBytes: z.number().int().nullable(),
  /** How late the console's own clockwork ran. */
  loopLagMs: z.number(),
});
export type TraceCost = z.infer<typeof TraceCost>;

export const TraceSummary = Attempts.extend({
  id: z.string(),
  target: z.string(),
  state: TraceState,
  /** Why it ended before its time; null when it did not. */
  stoppedBecause: TraceStop.nullable(),
  stoppedBy: z.string().nullable(),
  startedAt: z.number().int(),
  endsAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
  cost: TraceCost,
  /** Commands of others that Redis told of, whatever they were about. */
  commands: z.number().int(),
  keyCount: z.number().int(),
  clientCount: z.number().int(),
  storms: z.number().int(),
  hotClients: z.number().int(),
  evidence: Evidence,
  /** There were more keys or clients than are counted. */
  truncated: z.boolean(),
});
export type TraceSummary = z.infer<typeof TraceSummary>;

/** `keys` and `clients`: the 200 with most failed attempts. */
export const Trace = TraceSummary.extend({
  keys: z.array(TracedKey),
  clients: z.array(TracedClient),
});
export type Trace = z.infer<typeof Trace>;

/** The latest, newest first. They are kept in memory and gone when the console restarts. */
export const TracePage = z.object({ items: z.array(TraceSummary) });
export type TracePage = z.infer<typeof TracePage>;

export const TraceParams = z.object({ id: z.string().max(64) });
export type TraceParams = z.infer<typeof TraceParams>;
