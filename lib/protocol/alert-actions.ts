import { z } from 'zod';
import { Alert, AlertCode } from './alert';
import { reason } from './reason-input';
import { Matcher, Rule, RuleSetting, SetVersion, Silence } from './rules';
import { Sentence } from './sentence';

export const AcknowledgeInput = z.object({ id: z.string().max(200), reason });
export type AcknowledgeInput = z.infer<typeof AcknowledgeInput>;

export const SilenceInput = z.object({
  id: z.string().max(200),
  reason,
  untilMs: z.number().int().positive().optional(),
});
export type SilenceInput = z.infer<typeof SilenceInput>;

export const AlertResult = z.object({ alert: Alert });
export type AlertResult = z.infer<typeof AlertResult>;

export const AcknowledgeManyInput = z.object({
  ids: z.array(z.string().max(200)).min(1).max(500),
  reason,
});
export type AcknowledgeManyInput = z.infer<typeof AcknowledgeManyInput>;

export const AcknowledgeManyResult = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      outcome: z.enum(['acknowledged', 'refused', 'failed']),
      code: z.string().nullable(),
      message: z.string().nullable(),
      /** `message` for the reader's own language. */
      sentences: z.array(Sentence).optional(),
    }),
  ),
});
export type AcknowledgeManyResult = z.infer<typeof AcknowledgeManyResult>;

/** `class` left out or null = for all that have no setting of their own. */
const ruleName = { code: AlertCode, class: z.string().min(1).max(4000).nullable().optional() };

/** The version that the change is made to; left out = whatever this console knows. */
const version = SetVersion.optional();

export const RuleSaveInput = z.object({ ...ruleName, setting: RuleSetting, version, reason });
export type RuleSaveInput = z.infer<typeof RuleSaveInput>;

export const RuleResetInput = z.object({ ...ruleName, version, reason });
export type RuleResetInput = z.infer<typeof RuleResetInput>;

export const RuleResult = z.object({ rule: Rule });
export type RuleResult = z.infer<typeof RuleResult>;

/** `untilMs` epoch ms, within 30 days. */
export const SilenceAddInput = z.object({
  matcher: Matcher,
  untilMs: z.number().int().positive(),
  reason,
});
export type SilenceAddInput = z.infer<typeof SilenceAddInput>;

export const SilenceEndInput = z.object({ id: z.string().min(1).max(64), reason });
export type SilenceEndInput = z.infer<typeof SilenceEndInput>;

export const SilenceResult = z.object({ silence: Silence });
export type SilenceResult = z.infer<typeof SilenceResult>;
