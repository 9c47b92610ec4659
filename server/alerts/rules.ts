import { ALERT_CODES } from '@/lib/protocol/closed-sets';
import type { AlertCode } from '@/lib/protocol/alert';
import type { Rule, RuleSetting, Threshold } from '@/lib/protocol/rules';
import type { AnalysisSettings } from '@/server/analysers/analysis-contract';
import { longHoldMsOf, ownThresholdMs } from '@/server/analysers/long-hold-threshold';
import { thresholdStandard } from '@/server/analysers/thresholds';
import type { VersionedDocument } from '@/server/store/store-contract';
import { RuleDocument, ruleId, RULE_KIND } from './rule-document';

/** What the environment sets; the standard of the rules it names. */
export type RuleDefaults = Pick<
  AnalysisSettings,
  'longHoldMs' | 'longHoldMsByClass' | 'noExpiryMs'
>;

const BUILT_IN: RuleDefaults = { longHoldMs: 60_000, noExpiryMs: 30_000 };

/** What operators say of each kind of alert. No clock, no I/O: who changes it keeps the documents. */
export interface RuleBook {
  /** What holds for alerts of that code about locks of that class; null = of no single class. */
  settingFor: (code: AlertCode, lockClass: string | null) => RuleSetting;
  /** As `AnalysisSettings.thresholdOf`: null where the standard holds. */
  thresholdOf: (code: AlertCode, lockClass: string | null) => Threshold | null;
  /** What holds while nobody sets anything. */
  standardOf: (code: AlertCode, lockClass: string | null) => RuleSetting;
  /** What somebody set for exactly this code and class (null = all classes), or undefined. */
  set: (code: AlertCode, lockClass: string | null) => RuleDocument | undefined;
  /** All codes in their order; `open` counts the open alerts of one. */
  list: (open: (code: AlertCode) => number) => Rule[];
  /** Replaces what was set for the same code and class; `version` as the store has it. */
  save: (document: RuleDocument, version?: number) => void;
  /** Of what is set for exactly this code and class; null = nothing is. */
  versionOf: (code: AlertCode, lockClass: string | null) => number | null;
  /** Another number whenever something is saved or reset. */
  readonly edits: number;
  /** Back to the standard of that code and class. */
  reset: (code: AlertCode, lockClass: string | null) => void;
  /** Takes the place of all that is set. What is no rule any more (of another version) is left out. */
  restore: (documents: readonly VersionedDocument[]) => void;
  /** Exceptions by class of one code. */
  countFor: (code: AlertCode) => number;
}

interface Saved {
  all?: RuleDocument;
  classes: Map<string, RuleDocument>;
}

const sameThreshold = (a: Threshold | null, b: Threshold | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Where nobody sets anything a finding fires at once and resolves when it is gone: it has waited out its threshold. */
const settingWith = (threshold: Threshold | null): RuleSetting => ({
  enabled: true,
  severity: null,
  forMs: 0,
  keepFiringMs: 0,
  threshold,
});

function standardSetting(
  code: AlertCode,
  lockClass: string | null,
  defaults: RuleDefaults,
): RuleSetting {
  const standard = thresholdStandard(code);
  if (standard === null) return settingWith(null);
  const given: Partial<Record<AlertCode, number>> = {
    'long-hold': longHoldMsOf(defaults, lockClass ?? ''),
    'no-expiry': defaults.noExpiryMs,
  };
  return settingWith({ kind: 'static', value: given[code] ?? standard.value });
}

export function createRules(defaults: RuleDefaults = BUILT_IN): RuleBook {
  const saved = new Map<AlertCode, Saved>();
  /** By `ruleId`. */
  const versions = new Map<string, number>();
  let edits = 0;
  const standards = new Map(
    ALERT_CODES.map((code) => [code, standardSetting(code, null, defaults)] as const),
  );
  const ofEnvironment = (code: AlertCode, lockClass: string | null): boolean =>
    code === 'long-hold' && lockClass !== null && ownThresholdMs(defaults, lockClass) !== undefined;

  const standardOf = (code: AlertCode, lockClass: string | null): RuleSetting =>
    ofEnvironment(code, lockClass)
      ? standardSetting(code, lockClass, defaults)
      : (standards.get(code) ?? standardSetting(code, null, defaults));

  /** What the environment says of one class goes before what is set for all, but in its threshold alone. */
  const withoutException = (code: AlertCode, lockClass: string | null): RuleSetting => {
    const all = saved.get(code)?.all?.setting;
    if (!all) return standardOf(code, lockClass);
    if (!ofEnvironment(code, lockClass)) return all;
    return { ...all, threshold: standardOf(code, lockClass).threshold };
  };

  const settingFor = (code: AlertCode, lockClass: string | null): RuleSetting => {
    const own = lockClass === null ? undefined : saved.get(code)?.classes.get(lockClass);
    return own?.setting ?? withoutException(code, lockClass);
  };

  const put = (document: RuleDocument, version: number): void => {
    const { code, class: lockClass } = document;
    versions.set(ruleId(code, lockClass), version);
    const known: Saved = saved.get(code) ?? { classes: new Map() };
    saved.set(code, known);
    if (lockClass === null) known.all = document;
    else known.classes.set(lockClass, document);
  };

  const ruleOf = (code: AlertCode, open: number): Rule => {
    const { all, classes = new Map<string, RuleDocument>() } = saved.get(code) ?? {};
    const named = new Set(classes.keys());
    if (code === 'long-hold') {
      for (const name of defaults.longHoldMsByClass?.keys() ?? []) named.add(name);
    }
    const newest = [...(all ? [all] : []), ...classes.values()].toSorted((a, b) => b.at - a.at)[0];
    return {
      code,
      unit: thresholdStandard(code)?.unit ?? null,
      standard: standardOf(code, null),
      setting: settingFor(code, null),
      classes: [...named].toSorted().map((name) => ({
        class: name,
        setting: settingFor(code, name),
        version: versions.get(ruleId(code, name)) ?? null,
        usual: null,
      })),
      usual: [],
      version: versions.get(ruleId(code, null)) ?? null,
      open,
      changedBy: newest?.actor ?? null,
      changedAt: newest?.at ?? null,
    };
  };

  return {
    settingFor,
    standardOf,
    thresholdOf: (code, lockClass) => {
      if (!saved.has(code)) return null;
      const { threshold } = settingFor(code, lockClass);
      return sameThreshold(threshold, standardOf(code, lockClass).threshold) ? null : threshold;
    },
    set: (code, lockClass) =>
      lockClass === null ? saved.get(code)?.all : saved.get(code)?.classes.get(lockClass),
    list: (open) => ALERT_CODES.map((code) => ruleOf(code, open(code))),
    save: (document, version = 0) => {
      edits += 1;
      put(document, version);
    },
    versionOf: (code, lockClass) => versions.get(ruleId(code, lockClass)) ?? null,
    get edits() {
      return edits;
    },
    reset: (code, lockClass) => {
      edits += 1;
      versions.delete(ruleId(code, lockClass));
      const known = saved.get(code);
      if (lockClass === null) delete known?.all;
      else known?.classes.delete(lockClass);
      if (known && !known.all && known.classes.size === 0) saved.delete(code);
    },
    restore: (documents) => {
      saved.clear();
      versions.clear();
      for (const { kind, id, value, version } of documents) {
        if (kind !== RULE_KIND) continue;
        // Also of what is left out, which may be replaced all the same.
        versions.set(id, version);
        const document = RuleDocument.safeParse(value);
        if (document.success) put(document.data, version);
      }
    },
    countFor: (code) => saved.get(code)?.classes.size ?? 0,
  };
}
