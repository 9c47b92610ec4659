import type { DryRun } from '@/lib/protocol/rules';
import type { RuleDryRunParams } from '@/lib/protocol/queries';
import { toDryRun, type Trial } from './dry-run';
import { alertsTried } from './dry-run-alerts';
import { longHoldsTried } from './dry-run-holds';
import type { QueryContext } from './query-context';
import { requireFitting } from './rule-fits';
import { limitOf, mostHeld, usualHoldOf } from './usual-hold';
import { requireOrder } from './watched-range';

const WEEK_MS = 7 * 86_400_000;
const MOST_LIMITS = 20;

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
  await context.usualHistory.known();
  const { usual } = context.analysis;
  // As the judge asks it: a limit that is tried is the one that would hold.
  const p99Of: Trial['p99Of'] = (name) => usualHoldOf(usual, name).p99Ms;
  const trial: Trial = { code, class: lockClass, setting, from, to, p99Of };
  const limits = limitsOf(context, trial);
  if (code !== 'long-hold') {
    return { ...toDryRun(trial, await alertsTried(context, trial)), limits };
  }
  const acquisitions = await acquisitionsIn(context, { from, to, class: lockClass });
  const verdicts = await longHoldsTried(context, trial);
  const basis = Math.max(acquisitions, verdicts.hits.length);
  return { ...toDryRun(trial, { ...verdicts, basis }), limits };
}

/** Where an adaptive threshold lies, and what that rests on. */
function limitsOf(
  { analysis }: QueryContext,
  { class: lockClass, setting }: Trial,
): DryRun['limits'] {
  const { threshold } = setting;
  if (threshold?.kind !== 'adaptive') return [];
  const classes =
    lockClass === null
      ? mostHeld(analysis.usual, MOST_LIMITS)
      : [usualHoldOf(analysis.usual, lockClass)];
  return classes.map((each) => limitOf(threshold, each));
}

async function acquisitionsIn(
  { history }: QueryContext,
  { from, to, class: lockClass }: Pick<Trial, 'from' | 'to' | 'class'>,
): Promise<number> {
  const rollups = await history.rollups({
    ...{ level: 'class', from, to, stepMs: null, sketches: [] },
    ...(lockClass !== null && { class: lockClass }),
  });
  return rollups.reduce((sum, { acquisitions }) => sum + acquisitions, 0);
}
