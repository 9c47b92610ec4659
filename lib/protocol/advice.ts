import { z } from 'zod';
import {
  CHECK_STATES,
  CONFIG_CHECKS,
  SEVERITIES,
  TIMEOUT_CONFIDENCES,
  TIMEOUT_RULES,
  TIMEOUT_SILENCES,
  TIMEOUT_VERDICTS,
} from './closed-sets';
import { Evidence } from './lock';
import { Sentence } from './sentence';

/** A field of the hash that lock clients read their leases from. */
export const PublishedLease = z.object({
  db: z.number().int(),
  /** Name of the hash. */
  hash: z.string(),
  /** The class as the client names it: without prefix and namespace. */
  field: z.string(),
  leaseMs: z.number().int(),
});
export type PublishedLease = z.infer<typeof PublishedLease>;

/** For how long the locks of one class should be leased, and what that rests on. Durations in ms. */
export const TimeoutAdvice = z.object({
  namespace: z.string(),
  class: z.string(),
  formats: z.array(z.string()),
  recommendedMs: z.number().int(),
  rule: z.enum(TIMEOUT_RULES),
  verdict: z.enum(TIMEOUT_VERDICTS),
  confidence: z.enum(TIMEOUT_CONFIDENCES),
  /** Leases seen on its locks; null = none was. */
  leaseMs: z
    .object({
      least: z.number(),
      usual: z.number(),
      most: z.number(),
      count: z.number().int(),
    })
    .nullable(),
  /** Lengths of its holds; the p99 lies between `low` and `high` with 95 %, `high` null = not bounded. */
  holdMs: z.object({
    p50: z.number(),
    p99: z.number(),
    low: z.number(),
    high: z.number().nullable(),
    count: z.number().int(),
    /** Of `count`, holds that did not end by their holder. */
    cut: z.number().int(),
    /** The true p99 is `p99` or longer. */
    isAtLeast: z.boolean(),
  }),
  /** Holds that were looked at one by one, the newest; left out = all are in the figures. */
  sampled: z.number().int().optional(),
  burst: z
    .object({
      at: z.number().int(),
      p99Ms: z.number(),
      holds: z.number().int(),
      above: z.number().int(),
      raisedMs: z.number(),
    })
    .nullable(),
  /** How its holders were seen to renew; null = none was. `share`: of the holds seen. */
  renewal: z.object({ intervalMs: z.number(), share: z.number() }).nullable(),
  /** How long a lock stays held on average after its holder died. */
  crash: z.object({ nowMs: z.number().nullable(), thenMs: z.number() }),
  /** Where its lock clients would read it; null = they are not of our lock client, and read none. */
  publish: z
    .array(
      PublishedLease.omit({ leaseMs: true }).extend({
        nowMs: z.number().int().nullable(),
        /** What publishing it does, as a line for a shell. */
        command: z.string().optional(),
      }),
    )
    .nullable(),
  evidence: Evidence,
});
export type TimeoutAdvice = z.infer<typeof TimeoutAdvice>;

export const TimeoutsPage = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** Of that, how much was watched without a gap. */
  coveredMs: z.number(),
  wantedMs: z.number(),
  /** p99 − p50 of round trips to Redis, the console's own; null = not measured yet. */
  jitter: z
    .object({ ms: z.number(), p50Ms: z.number(), p99Ms: z.number(), count: z.number().int() })
    .nullable(),
  /** Too short ones first, then too long ones, each by what they cost. */
  items: z.array(TimeoutAdvice),
  silent: z.array(
    z.object({
      class: z.string(),
      namespace: z.string(),
      because: z.enum(TIMEOUT_SILENCES),
      holds: z.number().int(),
    }),
  ),
  /** Classes beyond the limit. */
  leftOut: z.number().int(),
  /** The retry delay of the configuration, which should be 1.5 × the lock timeout or more; null = it names none. */
  retry: z.object({
    timeoutMs: z.number().int(),
    delayMs: z.number().int().nullable(),
    leastMs: z.number().int(),
    file: z.string(),
  }),
  /** Published by this console, still there, and recommended no more. */
  stale: z.array(PublishedLease),
  /** Why it is not known what is published, with the rule that would help; left out = it is. */
  unreadable: z.object({ message: z.string(), sentences: z.array(Sentence) }).optional(),
});
export type TimeoutsPage = z.infer<typeof TimeoutsPage>;

/** One thing that was checked. */
export const ConfigCheck = z.object({
  id: z.enum(CONFIG_CHECKS),
  state: z.enum(CHECK_STATES),
  /** How bad it is where `wrong`; null elsewhere. */
  severity: z.enum(SEVERITIES).nullable(),
  /** Why it is so, and why it matters. */
  reason: z.string(),
  /** `reason` for the reader's own language. */
  sentences: z.array(Sentence),
  /** What was read, as it was read. */
  evidence: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What sets it right, or tells what is unknown, exact enough to paste; null = nothing to do. */
  command: z.string().nullable(),
});
export type ConfigCheck = z.infer<typeof ConfigCheck>;

export const ConfigurationPage = z.object({
  at: z.number().int(),
  /** Wrong ones first, the worst before the others; then unknown ones. */
  checks: z.array(ConfigCheck),
});
export type ConfigurationPage = z.infer<typeof ConfigurationPage>;

export const PublishResult = z.object({
  outcome: z.literal('published'),
  written: z.array(PublishedLease.extend({ beforeMs: z.number().int().nullable() })),
  /** Advice of this console that no longer holds. */
  removed: z.array(PublishedLease),
});
export type PublishResult = z.infer<typeof PublishResult>;
