import type { Evidence } from '@/lib/protocol/lock';
import type { DryRun, RuleSetting } from '@/lib/protocol/rules';
import type { AlertCode } from '@/lib/protocol/alert';
import { valueOf } from '@/server/analysers/thresholds';
import type { QueryContext } from './query-context';

/** What is tried: a setting for one code, for all classes (null) or one, over a span of history. */
export interface Trial {
  code: AlertCode;
  class: string | null;
  setting: RuleSetting;
  from: number;
  to: number;
  /** 99th percentile of the holds of a class as it is usual now, ms; null = too few. */
  p99Of: (lockClass: string) => number | null;
}

/** Something of history that one of the two settings makes an alert of. */
export interface Hit {
  at: number;
  label: string;
  class: string;
  value: number | null;
  fires: boolean;
  firesNow: boolean;
}

/** `asked` or `askedNow` false: history does not tell what that setting would have done. */
export interface Verdicts {
  hits: readonly Hit[];
  basis: number;
  evidence: Evidence;
  tells: boolean;
  tellsNow: boolean;
}

const MOST_CLASSES = 20;
const MOST_EXAMPLES = 50;

/** The setting that is tried as it would hold for a class: an exception stays one unless it is what is tried. */
export const triedFor = (
  { rules }: QueryContext,
  { code, class: tried, setting }: Trial,
  lockClass: string,
): RuleSetting =>
  tried === null && rules.set(code, lockClass) !== undefined
    ? rules.settingFor(code, lockClass)
    : setting;

/** In the unit of the code; null for codes without a threshold. */
export function thresholdFor(setting: RuleSetting, trial: Trial, lockClass: string): number | null {
  return setting.threshold === null ? null : valueOf(setting.threshold, trial.p99Of(lockClass));
}

export function toDryRun(
  trial: Trial,
  { hits, basis, evidence, tells, tellsNow }: Verdicts,
): Omit<DryRun, 'limits'> {
  const { code, from, to } = trial;
  const classes = new Map<string, { class: string; fired: number; firedNow: number }>();
  for (const { class: name, fires, firesNow } of hits) {
    const sums = classes.get(name) ?? { class: name, fired: 0, firedNow: 0 };
    sums.fired += Number(fires && tells);
    sums.firedNow += Number(firesNow && tellsNow);
    classes.set(name, sums);
  }
  const total = (of: 'fired' | 'firedNow'): number =>
    [...classes.values()].reduce((sum, one) => sum + one[of], 0);
  return {
    ...{ code, from, to, basis, evidence },
    fired: tells ? total('fired') : null,
    firedNow: tellsNow ? total('firedNow') : null,
    classes: [...classes.values()]
      .filter(({ fired, firedNow }) => fired + firedNow > 0)
      .toSorted((a, b) => b.fired - a.fired || b.firedNow - a.firedNow)
      .slice(0, MOST_CLASSES),
    examples: hits
      .filter(({ fires }) => fires && tells)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_EXAMPLES)
      .map(({ at, label, class: name, value }) => ({ at, label, class: name, value })),
  };
}
