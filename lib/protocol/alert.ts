import { z } from 'zod';
import { ALERT_CODES, ALERT_EVENT_KINDS, SEVERITIES } from './closed-sets';
import { Evidence } from './lock';
import { Sentence } from './sentence';

export const AlertCode = z.enum(ALERT_CODES);
export type AlertCode = z.infer<typeof AlertCode>;

export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const AlertState = z.enum(['pending', 'firing', 'acknowledged', 'silenced', 'resolved']);
export type AlertState = z.infer<typeof AlertState>;

/** By what alerts are grouped, silenced and routed; null = not one, or unknown. */
export const AlertLabels = z.object({
  class: z.string().nullable(),
  namespace: z.string().nullable(),
  owner: z.string().nullable(),
  /** The service or host of the owner, where it is known. */
  node: z.string().nullable(),
});
export type AlertLabels = z.infer<typeof AlertLabels>;

/** What an alert is about. `locks` is capped; `count` on the alert is the whole number. */
export const AlertSubject = z.object({
  kind: z.enum(['lock', 'locks', 'class', 'target', 'deadlock']),
  label: z.string(),
  locks: z.array(z.object({ db: z.number().int(), key: z.string(), keyB64: z.string() })),
  deadlockId: z.string().nullable(),
});
export type AlertSubject = z.infer<typeof AlertSubject>;

/** How the condition of an alert came to an end. */
export const AlertEnding = z.object({
  /** In English; `sentences` for the reader's own language. */
  text: z.string(),
  sentences: z.array(Sentence),
  at: z.number().int(),
  /** The operator who ended it; null = nobody did, or it is not known. */
  actor: z.string().nullable(),
  evidence: Evidence,
});
export type AlertEnding = z.infer<typeof AlertEnding>;

export const Alert = z.object({
  id: z.string(),
  code: AlertCode,
  severity: Severity,
  state: AlertState,
  target: z.string(),
  subject: AlertSubject,
  /** One sentence with the figures, e.g. "held 47 min by host-1, renewed 282×". */
  summary: z.string(),
  /** What to do about it. */
  remedy: z.string(),
  /** `summary` and `remedy` for the reader's own language. */
  sentences: z.object({ summary: z.array(Sentence), remedy: z.array(Sentence) }).optional(),
  /** Since when its condition is there, which a rule may let last before it alerts (`alertedAt`). */
  since: z.number().int(),
  /** When it fired first; null = it has not, or never did. Left out where that was not kept. */
  alertedAt: z.number().int().nullable().optional(),
  updatedAt: z.number().int(),
  resolvedAt: z.number().int().nullable(),
  count: z.number().int(),
  evidence: Evidence,
  acknowledgedBy: z.string().nullable(),
  acknowledgedReason: z.string().nullable(),
  silencedUntil: z.number().int().nullable(),
  silencedBy: z.string().nullable().optional(),
  silencedReason: z.string().nullable().optional(),
  labels: AlertLabels.optional(),
  acknowledgedAt: z.number().int().nullable().optional(),
  /** When it fires if its finding lasts: of a pending one, and of a resolved one that never fired. */
  firesAt: z.number().int().nullable().optional(),
  /** Of one whose finding is gone: how long it goes on firing. */
  keptUntil: z.number().int().nullable().optional(),
  /** What keeps it from being seen whether this is still so; it is neither resolved nor told as certain meanwhile. */
  doubtful: z.object({ code: AlertCode, since: z.number().int() }).nullable().optional(),
  /** What ended its condition, where that was seen: of one that is resolved or kept. */
  ending: AlertEnding.nullable().optional(),
  /** How often it was over and came back: beyond a few it stays open until it is calm. */
  flaps: z.number().int().optional(),
  /** Of a resolved one: the state that it returns to when its finding is back at once. */
  resolvedFrom: AlertState.exclude(['resolved']).nullable().optional(),
  /** The silence that keeps it quiet, where it is not this alert's own. */
  silenceId: z.string().nullable().optional(),
  /** The open deadlock whose locks it is about: one incident with it, and told with it. */
  partOf: z.string().nullable().optional(),
});
export type Alert = z.infer<typeof Alert>;

export const AlertEventKind = z.enum(ALERT_EVENT_KINDS);
export type AlertEventKind = z.infer<typeof AlertEventKind>;

/** One line of an incident's timeline: what was seen, when, by which evidence, who did what. */
export const AlertEvent = z.object({
  alert: z.string(),
  at: z.number().int(),
  kind: AlertEventKind,
  /** Who did it; null = the console. */
  actor: z.string().nullable(),
  /** In English; `sentences` for the reader's own language. */
  text: z.string(),
  sentences: z.array(Sentence).optional(),
  evidence: Evidence.nullable(),
});
export type AlertEvent = z.infer<typeof AlertEvent>;

export const AlertDetail = z.object({
  alert: Alert,
  /** Oldest first: the alert's own, what was done to its locks (from the audit) and to whom it was told. */
  events: z.array(AlertEvent),
  /** More were there than are kept or told. */
  isCut: z.boolean(),
  /** What happened to its listed locks while it lasted; null where no history of them is kept. */
  impact: z
    .object({
      from: z.number().int(),
      to: z.number().int(),
      acquisitions: z.number().int(),
      /** Holds that did not end by a release. */
      lost: z.number().int(),
      heldMs: z.number(),
      /** All waiting added up; null = nobody can see who waits. */
      waitedMs: z.number().nullable(),
    })
    .nullable()
    .optional(),
});
export type AlertDetail = z.infer<typeof AlertDetail>;

/** How many alerts share one label; null = those without it. */
const AlertGroup = z.object({ name: z.string().nullable(), count: z.number().int() });

export const AlertPage = z.object({
  items: z.array(Alert),
  /** The open alerts that fit what was asked, listed or not. */
  open: z.number().int().optional(),
  /** The same counted by label and code, the largest first, 100 of each at most. */
  groups: z
    .object({
      code: z.array(AlertGroup),
      class: z.array(AlertGroup),
      namespace: z.array(AlertGroup),
      owner: z.array(AlertGroup),
      node: z.array(AlertGroup),
    })
    .optional(),
  /** All open alerts that nobody acknowledged or silenced, whatever was asked for and however many came. */
  attention: z
    .object({
      critical: z.number().int(),
      warning: z.number().int(),
      info: z.number().int(),
    })
    .optional(),
});
export type AlertPage = z.infer<typeof AlertPage>;
