import { z } from 'zod';
import { AlertCode } from '@/lib/protocol/alert';
import { RuleSetting } from '@/lib/protocol/rules';

export const RULE_KIND = 'rule';

/** What an operator set for one code, for all classes (null) or one, as it is stored. */
export const RuleDocument = z.object({
  code: AlertCode,
  class: z.string().nullable(),
  setting: RuleSetting,
  actor: z.string(),
  reason: z.string(),
  at: z.number().int(),
});
export type RuleDocument = z.infer<typeof RuleDocument>;

/** No code has a space in it. */
export const ruleId = (code: AlertCode, lockClass: string | null): string =>
  lockClass === null ? code : `${code} ${lockClass}`;
