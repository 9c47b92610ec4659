import { z } from 'zod';
import { PublishResult } from './advice';
import { DISCOVERY_LIMITS, LONGEST_TRACE_S, MAX_ROUTES, ROLES } from './closed-sets';
import { Discovery, Pin } from './libraries';
import { LockFilter, LockParams } from './queries';
import { Lock } from './lock';
import {
  AcknowledgeInput,
  AcknowledgeManyInput,
  AcknowledgeManyResult,
  AlertResult,
  RuleResetInput,
  RuleResult,
  RuleSaveInput,
  SilenceAddInput,
  SilenceEndInput,
  SilenceInput,
  SilenceResult,
} from './alert-actions';
import { Deadlock } from './deadlock';
import { Channel, ChannelSettings, Route, TestOutcome } from './notify';
import { reason } from './reason-input';
import { SetVersion } from './rules';
import { Sentence } from './sentence';
import { TraceParams, TraceSummary } from './trace';

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

export const ReleaseInput = LockParams.extend({
  version: z.string().min(1).max(200),
  reason,
  businessId: z.string().max(200).optional(),
});
export type ReleaseInput = z.infer<typeof ReleaseInput>;

export const ReleaseResult = z.object({
  outcome: z.literal('released'),
  /** Subscribers that Redis says received the wake-up; null when the library has none. */
  wokeWaiters: z.number().int().nullable(),
  /** True when the old holder re-created the key within the time it was watched for. */
  cameBack: z.boolean(),
  watchedForMs: z.number().int(),
  /** True when somebody else took the lock within that time. */
  takenByNext: z.boolean().optional(),
  /**
   * Whether the old holder has noticed: it made the key anew, or let a renewal pass that would have. `unknown` =
   * what it does leaves no trace in Redis.
   */
  holderNoticed: z.enum(['stopped-renewing', 'came-back', 'unknown']).optional(),
});
export type ReleaseResult = z.infer<typeof ReleaseResult>;

export const ReleasePreviewInput = z.object({ filter: LockFilter });
export type ReleasePreviewInput = z.infer<typeof ReleasePreviewInput>;

/** Exactly what `release-many` would be asked to release; at most 500. */
export const ReleasePreview = z.object({
  items: z.array(Lock),
  total: z.number().int(),
  /** Matching locks that cannot be released, with the reason. */
  excluded: z.array(
    z.object({
      key: z.string(),
      because: z.string(),
      /** `because` for the reader's own language. */
      sentences: z.array(Sentence).optional(),
    }),
  ),
});
export type ReleasePreview = z.infer<typeof ReleasePreview>;

export const ReleaseManyInput = z.object({
  items: z
    .array(LockParams.extend({ version: z.string().min(1).max(200) }))
    .min(1)
    .max(500),
  reason,
});
export type ReleaseManyInput = z.infer<typeof ReleaseManyInput>;

export const ReleaseManyResult = z.object({
  results: z.array(
    z.object({
      keyB64: z.string(),
      db: z.number().int(),
      outcome: z.enum(['released', 'refused', 'failed']),
      code: z.string().nullable(),
      message: z.string().nullable(),
      /** `message` for the reader's own language. */
      sentences: z.array(Sentence).optional(),
    }),
  ),
});
export type ReleaseManyResult = z.infer<typeof ReleaseManyResult>;

export const DropWaiterInput = LockParams.extend({ owner: z.string().min(1).max(100_000), reason });
export type DropWaiterInput = z.infer<typeof DropWaiterInput>;

export const DropWaiterResult = z.object({ outcome: z.literal('dropped'), wokeNext: z.boolean() });
export type DropWaiterResult = z.infer<typeof DropWaiterResult>;

export const WakeInput = LockParams.extend({ reason });
export type WakeInput = z.infer<typeof WakeInput>;

export const WakeResult = z.object({
  outcome: z.literal('woken'),
  /** Receivers of the wake-up as Redis counts them; null where it cannot. */
  wokeWaiters: z.number().int().nullable(),
});
export type WakeResult = z.infer<typeof WakeResult>;

/** `member`: the id of one of `Lock.members`. `version`: that of the hold it was shown with. */
export const RemoveMemberInput = LockParams.extend({
  member: z.string().min(1).max(100_000),
  version: z.string().min(1).max(200),
  reason,
});
export type RemoveMemberInput = z.infer<typeof RemoveMemberInput>;

export const RemoveMemberResult = z.object({
  outcome: z.literal('removed'),
  wokeWaiters: z.number().int().nullable(),
});
export type RemoveMemberResult = z.infer<typeof RemoveMemberResult>;

export const TraceStartInput = z.object({
  target: z.string().max(256),
  seconds: z.number().int().min(1).max(LONGEST_TRACE_S),
  reason: z.string().trim().max(500).optional(),
});
export type TraceStartInput = z.infer<typeof TraceStartInput>;

export const TraceStartResult = z.object({ id: z.string() });
export type TraceStartResult = z.infer<typeof TraceStartResult>;

export const TraceStopInput = TraceParams.extend({
  reason: z.string().trim().max(500).optional(),
});
export type TraceStopInput = z.infer<typeof TraceStopInput>;

const target = z.string().max(256);
const pinned = {
  target,
  /** Glob over the bytes of keys, in printable form. */
  pattern: z.string().min(1).max(4000),
  reason,
};

export const PinInput = z.object({ ...pinned, format: z.string().min(1).max(64) });
export type PinInput = z.infer<typeof PinInput>;

export const PinResult = z.object({
  outcome: z.literal('pinned'),
  pin: Pin,
  /** The format that the same pattern was pinned to before. */
  replaced: z.string().nullable(),
});
export type PinResult = z.infer<typeof PinResult>;

export const UnpinInput = z.object(pinned);
export type UnpinInput = z.infer<typeof UnpinInput>;

export const UnpinResult = z.object({ outcome: z.literal('unpinned'), pin: Pin });
export type UnpinResult = z.infer<typeof UnpinResult>;

const { maxKeys, seconds } = DISCOVERY_LIMITS;

export const DiscoverInput = z.object({
  target,
  /** Left out = every watched db. */
  db: z.number().int().min(0).max(1_000_000).optional(),
  maxKeys: z.number().int().min(maxKeys.least).max(maxKeys.most).optional(),
  seconds: z.number().int().min(seconds.least).max(seconds.most).optional(),
});
export type DiscoverInput = z.infer<typeof DiscoverInput>;

export const DiscoverResult = z.object({ id: z.string() });
export type DiscoverResult = z.infer<typeof DiscoverResult>;

export const DiscoverStopInput = z.object({ id: z.string().min(1).max(64) });
export type DiscoverStopInput = z.infer<typeof DiscoverStopInput>;

const channelId = z.string().min(1).max(64);

/** The version that the change is made to; left out = whatever this console knows. */
const version = SetVersion.optional();

/** Without `id` a new one. A secret that is left out stays; where the destination changes it is given anew. */
export const SaveChannelInput = z.object({
  id: channelId.optional(),
  version,
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'must not have control characters'),
  settings: ChannelSettings,
  reason,
});
export type SaveChannelInput = z.infer<typeof SaveChannelInput>;

export const SaveChannelResult = z.object({ channel: Channel });
export type SaveChannelResult = z.infer<typeof SaveChannelResult>;

/** What waits for it is told nobody; routes lose it. */
export const RemoveChannelInput = z.object({ id: channelId, version, reason });
export type RemoveChannelInput = z.infer<typeof RemoveChannelInput>;

export const RemoveChannelResult = z.object({ outcome: z.literal('removed') });
export type RemoveChannelResult = z.infer<typeof RemoveChannelResult>;

/** All routes: those that are left out are gone. */
export const SaveRoutesInput = z.object({
  routes: z.array(Route).max(MAX_ROUTES),
  version,
  reason,
});
export type SaveRoutesInput = z.infer<typeof SaveRoutesInput>;

export const SaveRoutesResult = z.object({ routes: z.array(Route) });
export type SaveRoutesResult = z.infer<typeof SaveRoutesResult>;

export const TestChannelInput = z.object({ id: channelId });
export type TestChannelInput = z.infer<typeof TestChannelInput>;

/** With `leaseMs`: as it was shown; refused where the recommendation has moved since. */
export const PublishInput = z.object({
  target,
  classes: z.union([
    z.literal('all'),
    z
      .array(
        z.object({
          namespace: z.string().max(100_000),
          class: z.string().min(1).max(100_000),
          leaseMs: z.number().int().positive().optional(),
        }),
      )
      .min(1)
      .max(500),
  ]),
  reason,
});
export type PublishInput = z.infer<typeof PublishInput>;

/** `version`: `intended.at` as it was read, null = nobody had said so. */
export const OrderInput = z.object({ id: z.string().min(1).max(64), version, reason });
export type OrderInput = z.infer<typeof OrderInput>;

export const OrderIntendResult = z.object({ outcome: z.literal('intended'), deadlock: Deadlock });
export type OrderIntendResult = z.infer<typeof OrderIntendResult>;

export const OrderUnintendResult = z.object({
  outcome: z.literal('unintended'),
  was: z.object({ actor: z.string(), reason: z.string(), at: z.number().int() }),
  /** Null where the orders do not contradict each other any more. */
  deadlock: Deadlock.nullable(),
});
export type OrderUnintendResult = z.infer<typeof OrderUnintendResult>;

/** What a client may do, over REST and socket alike. The server has one verb of each name. */
export const ACTIONS = {
  'lock.release': { input: ReleaseInput, result: ReleaseResult, role: 'operator' },
  'lock.release-preview': { input: ReleasePreviewInput, result: ReleasePreview, role: 'operator' },
  'lock.release-many': { input: ReleaseManyInput, result: ReleaseManyResult, role: 'operator' },
  'lock.drop-waiter': { input: DropWaiterInput, result: DropWaiterResult, role: 'operator' },
  'lock.wake': { input: WakeInput, result: WakeResult, role: 'operator' },
  'lock.remove-member': { input: RemoveMemberInput, result: RemoveMemberResult, role: 'operator' },
  'alert.acknowledge': { input: AcknowledgeInput, result: AlertResult, role: 'operator' },
  'alert.silence': { input: SilenceInput, result: AlertResult, role: 'operator' },
  'alert.acknowledge-many': {
    input: AcknowledgeManyInput,
    result: AcknowledgeManyResult,
    role: 'operator',
  },
  'rule.save': { input: RuleSaveInput, result: RuleResult, role: 'admin' },
  'rule.reset': { input: RuleResetInput, result: RuleResult, role: 'admin' },
  'silence.add': { input: SilenceAddInput, result: SilenceResult, role: 'operator' },
  'silence.end': { input: SilenceEndInput, result: SilenceResult, role: 'operator' },
  'order.intend': { input: OrderInput, result: OrderIntendResult, role: 'operator' },
  'order.unintend': { input: OrderInput, result: OrderUnintendResult, role: 'operator' },
  'trace.start': { input: TraceStartInput, result: TraceStartResult, role: 'admin' },
  'trace.stop': { input: TraceStopInput, result: TraceSummary, role: 'admin' },
  'advice.publish': { input: PublishInput, result: PublishResult, role: 'admin' },
  'format.pin': { input: PinInput, result: PinResult, role: 'operator' },
  'format.unpin': { input: UnpinInput, result: UnpinResult, role: 'operator' },
  'format.discover': { input: DiscoverInput, result: DiscoverResult, role: 'operator' },
  'format.discover-stop': { input: DiscoverStopInput, result: Discovery, role: 'operator' },
  'notify.save-channel': { input: SaveChannelInput, result: SaveChannelResult, role: 'admin' },
  'notify.remove-channel': {
    input: RemoveChannelInput,
    result: RemoveChannelResult,
    role: 'admin',
  },
  'notify.save-routes': { input: SaveRoutesInput, result: SaveRoutesResult, role: 'admin' },
  'notify.test': { input: TestChannelInput, result: TestOutcome, role: 'admin' },
} as const satisfies Record<string, { input: z.ZodType; result: z.ZodType; role: Role }>;
export type ActionName = keyof typeof ACTIONS;
export type ActionInput<N extends ActionName> = z.infer<(typeof ACTIONS)[N]['input']>;
export type ActionResult<N extends ActionName> = z.infer<(typeof ACTIONS)[N]['result']>;
