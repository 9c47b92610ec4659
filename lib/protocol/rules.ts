import { z } from 'zod';
import { AlertCode, Severity } from './alert';
import { Evidence } from './lock';
import { ClassPattern, NamePattern } from './name-pattern';

const duration = z
  .number()
  .int()
  .min(0)
  .max(30 * 86_400_000);

/**
 * Beyond what a finding of this kind is one: milliseconds for codes that measure time, a count for those that count
 * (`RuleUnit`). `adaptive`: `factor` times the 99th percentile of the class's holds, never below `least`; `static`
 * where the class has no such percentile yet.
 */
export const Threshold = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('static'), value: duration }),
  z.object({
    kind: z.literal('adaptive'),
    factor: z.number().min(1).max(1000),
    least: duration,
    /** For classes of which too little is known. */
    otherwise: duration,
  }),
]);
export type Threshold = z.infer<typeof Threshold>;

/** What an operator says of one kind of alert, for all classes or, with `class`, for one. */
export const RuleSetting = z.object({
  enabled: z.boolean(),
  /** Null = as the finding says. */
  severity: Severity.nullable(),
  /** How long a finding must last before it fires; it is `pending` meanwhile. */
  forMs: duration,
  /** How long an alert goes on firing after its finding is gone. */
  keepFiringMs: duration,
  /** Null for codes that have none. */
  threshold: Threshold.nullable(),
});
export type RuleSetting = z.infer<typeof RuleSetting>;

export const RULE_UNITS = ['ms', 'count', 'per-second'] as const;

/** What is usual of a class, of which an adaptive threshold is a multiple. */
export const UsualHold = z.object({
  class: z.string(),
  /** 99 of 100 holds of the class end within so long; null while fewer than 100 were seen. */
  p99Ms: z.number().nullable(),
  /** Of so many holds, */
  holds: z.number().int(),
  /** that ended since then, epoch ms: within the last seven days; null = none was seen. */
  from: z.number().int().nullable(),
});
export type UsualHold = z.infer<typeof UsualHold>;

/** With where an adaptive threshold lies for the class by it. */
export const UsualLimit = UsualHold.extend({ limitMs: z.number() });
export type UsualLimit = z.infer<typeof UsualLimit>;

/** Of what an operator set, as it was read; null = nothing was. A change that gives it back is refused where it is another now. */
export const SetVersion = z.number().int().nullable();

export const Rule = z.object({
  code: AlertCode,
  /** What the threshold counts; null for codes without one. */
  unit: z.enum(RULE_UNITS).nullable(),
  /** What the console does where nobody set anything. */
  standard: RuleSetting,
  /** What holds now; differs from `standard` where somebody changed it or the environment does. */
  setting: RuleSetting,
  /** Exceptions, by class as the console names it. */
  classes: z.array(
    z.object({
      class: z.string(),
      setting: RuleSetting,
      version: SetVersion,
      /** Where its threshold is adaptive. */
      usual: UsualLimit.nullable(),
    }),
  ),
  /** Where the threshold for all classes is adaptive: of those most held that are no exception, 5 at most. */
  usual: z.array(UsualLimit),
  /** Of what is set for all classes. */
  version: SetVersion,
  /** Open alerts of this code now. */
  open: z.number().int(),
  changedBy: z.string().nullable(),
  changedAt: z.number().int().nullable(),
});
export type Rule = z.infer<typeof Rule>;

/**
 * All that is given must fit; what is left out fits everything. At least one is given. A name that is not known is
 * refused: left out it would silence more than was meant.
 */
export const Matcher = z.strictObject({
  code: AlertCode.optional(),
  severity: Severity.optional(),
  namespace: NamePattern.optional(),
  class: ClassPattern.optional(),
  /** Glob over printable keys. */
  key: z.string().min(1).max(4000).optional(),
  /** As an alert's labels name the owner. */
  owner: NamePattern.optional(),
});
export type Matcher = z.infer<typeof Matcher>;

/** Alerts that fit are silenced until then, those that come too. */
export const Silence = z.object({
  id: z.string(),
  matcher: Matcher,
  since: z.number().int(),
  until: z.number().int(),
  actor: z.string(),
  reason: z.string(),
  /** Open alerts it keeps quiet now. */
  matching: z.number().int(),
});
export type Silence = z.infer<typeof Silence>;

export const RulesPage = z.object({ rules: z.array(Rule), silences: z.array(Silence) });
export type RulesPage = z.infer<typeof RulesPage>;

/** What a setting would have done over the stored history. */
export const DryRun = z.object({
  code: AlertCode,
  from: z.number().int(),
  to: z.number().int(),
  /** How often it would have fired; null where history does not tell (what was judged is kept nowhere). */
  fired: z.number().int().nullable(),
  /** How often the present setting did, by the same reckoning. */
  firedNow: z.number().int().nullable(),
  /** By class, those that fired most first, 20 at most. */
  classes: z.array(
    z.object({ class: z.string(), fired: z.number().int(), firedNow: z.number().int() }),
  ),
  /** Newest first, 50 at most: when and about what. */
  examples: z.array(
    z.object({
      at: z.number().int(),
      label: z.string(),
      class: z.string(),
      /** What was measured, in the unit of the rule. */
      value: z.number().nullable(),
    }),
  ),
  /** Of an adaptive threshold: where it lies for the class that is asked for, or those most held, 20 at most. */
  limits: z.array(UsualLimit),
  /** Holds or alerts looked at. */
  basis: z.number().int(),
  evidence: Evidence,
});
export type DryRun = z.infer<typeof DryRun>;
