import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import type { DryRun } from '@/lib/protocol/rules';
import type { RuleDryRunParams } from '@/lib/protocol/queries';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import { toDryRun, type Trial } from './dry-run';
import { alertsTried } from './dry-run-alerts';
import { longHoldsTried } from './dry-run-holds';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';
import { requireFitting } from './rule-fits';
import { requireOrder } from './watched-range';

const WEEK_MS = 7 * 86_400_000;
/** As for the limits that follow a class while the console runs. */
const LEAST_SAMPLES = 100;

/**
 * What a setting would have done over the stored history, the last seven days by default: long holds by the holds that
 * are kept one by one, other kinds by the alerts that are. Throws INVALID_INPUT.
 */
export async function ruleDryRun(context: QueryContext, params: RuleDryRunParams): Promise<DryRun> {
  const { code, class: lockClass = null, setting } = params;
  requireFitting(code, setting);
  const to = Math.min(params.to ?? context.now(), context.now());
  const from = params.from ?? Math.max(0, to - WEEK_MS);
  requireOrder(from, to);
  const { p99Of, acquisitions } = await usualHolds(context, { from, to, class: lockClass });
  const trial: Trial = { code, class: lockClass, setting, from, to, p99Of };
  if (code !== 'long-hold') return toDryRun(trial, await alertsTried(context, trial));
  const verdicts = await longHoldsTried(context, trial);
  return toDryRun(trial, { ...verdicts, basis: Math.max(acquisitions, verdicts.hits.length) });
}

/** How long holds of each class lasted in the span, and how many there were. */
async function usualHolds(
  { history }: QueryContext,
  { from, to, class: lockClass }: Pick<Trial, 'from' | 'to' | 'class'>,
): Promise<Pick<Trial, 'p99Of'> & { acquisitions: number }> {
  const rollups = await history.rollups({
    ...{ level: 'class', from, to, stepMs: null, sketches: ['hold'] },
    ...(lockClass !== null && { class: lockClass }),
  });
  const byClass = new Map<string, Sketch>();
  let acquisitions = 0;
  await inTurns(rollups, ({ class: name, acquisitions: more, sketches }) => {
    acquisitions += more;
    const times = byClass.get(name) ?? createSketch();
    byClass.set(name, times);
    if (sketches.hold) mergeBytes(sketches.hold, [times]);
  });
  return {
    acquisitions,
    p99Of: (name) => {
      const times = byClass.get(name);
      return times && times.count >= LEAST_SAMPLES ? times.quantile(0.99) : null;
    },
  };
}
