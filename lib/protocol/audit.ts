import { z } from 'zod';

export const AuditOutcome = z.enum(['requested', 'done', 'refused', 'failed']);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

/** One link of the audit chain: `hash` = SHA-256 over `prevHash` and the canonical JSON of the other fields. */
export const AuditEntry = z.object({
  seq: z.number().int(),
  at: z.number().int(),
  actor: z.string(),
  /** `lock.release`, `alert.acknowledge`, `session.sign-in`, `user.create` … */
  action: z.string(),
  target: z.string().nullable(),
  db: z.number().int().nullable(),
  key: z.string().nullable(),
  keyB64: z.string().nullable(),
  reason: z.string().nullable(),
  outcome: AuditOutcome,
  /** The error code of a refusal or failure. */
  code: z.string().nullable(),
  before: z.unknown().nullable(),
  after: z.unknown().nullable(),
  requestId: z.string(),
  businessId: z.string().nullable(),
  prevHash: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditPage = z.object({ items: z.array(AuditEntry), cursor: z.string().nullable() });
export type AuditPage = z.infer<typeof AuditPage>;
