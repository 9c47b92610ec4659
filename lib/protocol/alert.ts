import { z } from 'zod';
import { ALERT_CODES, SEVERITIES } from './closed-sets';
import { Evidence } from './lock';
import { Sentence } from './sentence';

export const AlertCode = z.enum(ALERT_CODES);
export type AlertCode = z.infer<typeof AlertCode>;

export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

export const AlertState = z.enum(['pending', 'firing', 'acknowledged', 'silenced', 'resolved']);
export type AlertState = z.infer<typeof AlertState>;

/** What an alert is about. `locks` is capped; `count` on the alert is the whole number. */
export const AlertSubject = z.object({
  kind: z.enum(['lock', 'locks', 'class', 'target', 'deadlock']),
  label: z.string(),
  locks: z.array(z.object({ db: z.number().int(), key: z.string(), keyB64: z.string() })),
  deadlockId: z.string().nullable(),
});
export type AlertSubject = z.infer<typeof AlertSubject>;

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
  since: z.number().int(),
  updatedAt: z.number().int(),
  resolvedAt: z.number().int().nullable(),
  count: z.number().int(),
  evidence: Evidence,
  acknowledgedBy: z.string().nullable(),
  acknowledgedReason: z.string().nullable(),
  silencedUntil: z.number().int().nullable(),
  silencedBy: z.string().nullable().optional(),
  silencedReason: z.string().nullable().optional(),
});
export type Alert = z.infer<typeof Alert>;

export const AlertPage = z.object({
  items: z.array(Alert),
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
