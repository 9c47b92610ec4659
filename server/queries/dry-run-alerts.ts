import type { Alert } from '@/lib/protocol/alert';
import type { RuleSetting } from '@/lib/protocol/rules';
import { MOMENT_CODES } from '@/server/analysers/finding';
import { thresholdStandard } from '@/server/analysers/thresholds';
import { thresholdFor, triedFor, type Hit, type Trial, type Verdicts } from './dry-run';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';

const PAGE = 500;
const MOST_ALERTS = 10_000;

/** Alerts of the code that stood in the span, pending ones that never fired among them. */
async function alertsOf(context: QueryContext, trial: Trial): Promise<Alert[]> {
  const { code, from, to, class: lockClass } = trial;
  const found = new Map<string, Alert>();
  for (let skip = 0; skip < MOST_ALERTS; skip += PAGE) {
    const page = await context.store.alerts({ code, from, skip, limit: PAGE });
    await inTurns(page, (alert) => void found.set(alert.id, alert));
    if (page.length < PAGE) break;
  }
  for (const alert of context.alerts.open()) if (alert.code === code) found.set(alert.id, alert);
  return [...found.values()].filter(
    ({ since, target, labels }) =>
      since < to &&
      target === context.targetId &&
      (lockClass === null || labels?.class === lockClass),
  );
}

/**
 * What a setting would have made of the alerts that are kept. They tell how long each lasted, so a longer wait or a
 * higher limit of time can be tried; of a lower one, and of other counts, nothing is kept.
 */
export async function alertsTried(context: QueryContext, trial: Trial): Promise<Verdicts> {
  const { code } = trial;
  const isTimed = thresholdStandard(code)?.unit === 'ms';
  const hits: Hit[] = [];
  let tells = context.rules.settingFor(code, trial.class).enabled;
  const found = await alertsOf(context, trial);
  // Without an alert the limits are compared for no class.
  const classes = new Set(found.map(({ labels }) => labels?.class ?? ''));
  for (const lockClass of classes.size === 0 ? [trial.class ?? ''] : classes) {
    const tried = thresholdFor(triedFor(context, trial, lockClass), trial, lockClass);
    const now = thresholdFor(context.rules.settingFor(code, lockClass || null), trial, lockClass);
    if (tried === now) continue;
    if (!isTimed || (tried ?? 0) < (now ?? 0)) tells = false;
  }
  for (const alert of found) {
    const lockClass = alert.labels?.class ?? '';
    const present = context.rules.settingFor(code, lockClass || null);
    const tried = triedFor(context, trial, lockClass);
    const [fires, firesNow] = [tried, present].map((setting) =>
      wouldFire(alert, setting, { trial, present, lockClass }),
    );
    hits.push({
      ...{
        at: alert.since,
        label: alert.subject.label,
        class: lockClass,
        value: lastedMs(alert, trial),
      },
      ...{ fires: fires ?? false, firesNow: firesNow ?? false },
    });
  }
  return { hits, basis: found.length, evidence: 'inferred', tells, tellsNow: true };
}

const lastedMs = ({ since, resolvedAt }: Alert, { to }: Trial): number =>
  Math.max(0, (resolvedAt ?? to) - since);

/** An alert began when its condition had lasted for the present limit. */
function wouldFire(
  alert: Alert,
  setting: RuleSetting,
  { trial, present, lockClass }: { trial: Trial; present: RuleSetting; lockClass: string },
): boolean {
  if (!setting.enabled) return false;
  if (MOMENT_CODES.has(alert.code)) return true;
  const isTimed = thresholdStandard(alert.code)?.unit === 'ms';
  const limit = isTimed ? (thresholdFor(setting, trial, lockClass) ?? 0) : 0;
  const kept = alert.resolvedAt === null ? 0 : present.keepFiringMs;
  return lastedMs(alert, trial) - kept >= limit + setting.forMs;
}
