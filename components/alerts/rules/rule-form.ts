import { memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Severity } from '@/lib/protocol/alert';
import type { Rule, RuleSetting, Threshold } from '@/lib/protocol/rules';
import { LONGEST_MS, readDuration, writeDuration, type DurationError } from './duration-input';

export type RuleUnit = Rule['unit'];
export const THRESHOLD_KINDS = ['static', 'adaptive'] as const;

/** A rule as it stands in the fields: texts, right or wrong. */
export interface RuleForm {
  enabled: boolean;
  severity: Severity | null;
  forText: string;
  keepText: string;
  kind: (typeof THRESHOLD_KINDS)[number];
  valueText: string;
  factorText: string;
  leastText: string;
  otherwiseText: string;
}

export type RuleField = Exclude<keyof RuleForm, 'enabled' | 'severity' | 'kind'>;
export type FieldError = DurationError | 'no-number' | 'too-large' | 'factor';
export type RuleErrors = Partial<Record<RuleField, FieldError>>;

const written = (value: number, unit: RuleUnit): string =>
  unit === 'ms' ? writeDuration(value) : `${value}`;

/** Only where the threshold is a time can it follow how long a class is held. */
export const mayAdapt = (unit: RuleUnit): boolean => unit === 'ms';

export function formOf(
  { enabled, severity, forMs, keepFiringMs, threshold }: RuleSetting,
  unit: RuleUnit,
): RuleForm {
  const adaptive = threshold?.kind === 'adaptive' ? threshold : null;
  const value = threshold?.kind === 'static' ? threshold.value : (adaptive?.otherwise ?? 0);
  return {
    enabled,
    severity,
    forText: writeDuration(forMs),
    keepText: writeDuration(keepFiringMs),
    kind: adaptive ? 'adaptive' : 'static',
    valueText: written(value, unit),
    factorText: `${adaptive?.factor ?? 3}`,
    leastText: written(adaptive?.least ?? value, unit),
    otherwiseText: written(value, unit),
  };
}

interface Reader {
  errors: RuleErrors;
  duration: (field: RuleField, text: string) => number;
  amount: (field: RuleField, text: string, unit: RuleUnit) => number;
  factor: (field: RuleField, text: string) => number;
}

function reader(): Reader {
  const errors: RuleErrors = {};
  const duration = (field: RuleField, text: string): number => {
    const { ms, error } = readDuration(text);
    if (error) errors[field] = error;
    return ms ?? 0;
  };
  const number = (field: RuleField, text: string, pattern: RegExp): number => {
    const typed = text.trim().replace(',', '.');
    if (typed === '') errors[field] = 'empty';
    else if (!pattern.test(typed)) errors[field] = 'no-number';
    return errors[field] ? 0 : Number(typed);
  };
  return {
    errors,
    duration,
    amount: (field, text, unit) => {
      if (unit === 'ms') return duration(field, text);
      const amount = number(field, text, /^\d+$/);
      if (amount > LONGEST_MS) errors[field] = 'too-large';
      return amount;
    },
    factor: (field, text) => {
      const factor = number(field, text, /^\d+(\.\d+)?$/);
      if (!errors[field] && (factor < 1 || factor > 1000)) errors[field] = 'factor';
      return factor;
    },
  };
}

function thresholdOf(form: RuleForm, unit: RuleUnit, read: Reader): Threshold | null {
  if (unit === null) return null;
  if (form.kind === 'static' || !mayAdapt(unit)) {
    return { kind: 'static', value: read.amount('valueText', form.valueText, unit) };
  }
  return {
    kind: 'adaptive',
    factor: read.factor('factorText', form.factorText),
    least: read.amount('leastText', form.leastText, unit),
    otherwise: read.amount('otherwiseText', form.otherwiseText, unit),
  };
}

/** The setting that the fields say; null, and why, where one cannot be read. */
export function settingOf(
  form: RuleForm,
  unit: RuleUnit,
): { setting: RuleSetting | null; errors: RuleErrors } {
  const read = reader();
  const setting: RuleSetting = {
    enabled: form.enabled,
    severity: memberOf(SEVERITIES, form.severity) ?? null,
    forMs: read.duration('forText', form.forText),
    keepFiringMs: read.duration('keepText', form.keepText),
    threshold: thresholdOf(form, unit, read),
  };
  const isRead = Object.keys(read.errors).length === 0;
  return { setting: isRead ? setting : null, errors: read.errors };
}

/** Whether two settings say the same. */
export const sameSetting = (a: RuleSetting, b: RuleSetting): boolean =>
  a.enabled === b.enabled &&
  a.severity === b.severity &&
  a.forMs === b.forMs &&
  a.keepFiringMs === b.keepFiringMs &&
  sameThreshold(a.threshold, b.threshold);

export function sameThreshold(a: Threshold | null, b: Threshold | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'static') return b.kind === 'static' && a.value === b.value;
  return (
    b.kind === 'adaptive' &&
    a.factor === b.factor &&
    a.least === b.least &&
    a.otherwise === b.otherwise
  );
}
