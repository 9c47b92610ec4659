import { formatTable } from '@/lib/formats';
import { printable } from '@/lib/protocol/bytes';
import type { RuleSetting } from '@/lib/protocol/rules';
import { unusualHoldMs } from '@/server/analysers/long-hold-threshold';
import { weakest } from '@/server/analysers/subject';
import type { HoldRow } from '@/server/store/store-contract';
import { thresholdFor, triedFor, type Hit, type Trial, type Verdicts } from './dry-run';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';

const PAGE = 1000;
/** Long holds that are looked at, the newest first. */
const MOST_HOLDS = 50_000;

/** Of what counts or is kept on purpose no length says that it is stuck. */
const COUNTERS = new Set(formatTable.formats.filter(({ counts }) => counts).map(({ id }) => id));
const isWork = ({ formatId, past }: HoldRow): boolean =>
  !COUNTERS.has(formatId) && !past.notes.includes('finished-kept');

const nameOf = ({ db, key, past }: HoldRow): string => `${db} ${past.generation} ${key}`;

/** Calls `each` for holds that lasted longer, newest first, in pages between which the event loop goes on. */
async function eachHold(
  { store, targetId }: QueryContext,
  { from, to, class: lockClass }: Trial,
  { lastedMs, each }: { lastedMs: number; each: (hold: HoldRow) => void },
): Promise<void> {
  const query = {
    ...{ target: targetId, from, lastedMs, limit: PAGE },
    ...(lockClass !== null && { class: lockClass }),
  };
  let before = to;
  let edge = new Set<string>();
  for (let seen = 0; seen < MOST_HOLDS; seen += PAGE) {
    const page = await store.holds({ ...query, to: before });
    const known = edge;
    await inTurns(page, (hold) => {
      if (!known.has(nameOf(hold))) each(hold);
    });
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    // Others may have begun in the millisecond of the last; a page of nothing else is gone past.
    const { start } = last.past;
    const isStuck = start + 1 >= before;
    before = isStuck ? start : start + 1;
    edge = new Set(page.filter(({ past }) => past.start === start).map(nameOf));
  }
}

/** What a setting for long holds would have made of those that are kept. */
export async function longHoldsTried(context: QueryContext, trial: Trial): Promise<Verdicts> {
  const { config, rules } = context;
  const byClass = new Map<string, { tried: number; now: number; least: number }>();
  const firesAfter = (setting: RuleSetting, isStandard: boolean, lockClass: string): number => {
    if (!setting.enabled) return Infinity;
    const set = thresholdFor(setting, trial, lockClass) ?? Infinity;
    const usual = trial.p99Of(lockClass);
    return (isStandard ? unusualHoldMs(config, lockClass, usual) : set) + setting.forMs;
  };
  const limitsOf = (lockClass: string) => {
    const known = byClass.get(lockClass);
    if (known) return known;
    const tried = triedFor(context, trial, lockClass);
    const present = rules.settingFor('long-hold', lockClass);
    const standard = JSON.stringify(rules.standardOf('long-hold', lockClass).threshold);
    const isStandard = (setting: RuleSetting) => JSON.stringify(setting.threshold) === standard;
    const limits = {
      tried: firesAfter(tried, isStandard(tried), lockClass),
      now: firesAfter(present, isStandard(present), lockClass),
    };
    const both = { ...limits, least: Math.min(limits.tried, limits.now) };
    byClass.set(lockClass, both);
    return both;
  };
  const hits: Hit[] = [];
  const seen: HoldRow['past']['evidence'][] = [];
  const judge = (hold: HoldRow): void => {
    const { tried, now, least } = limitsOf(hold.class);
    const { start, end, evidence } = hold.past;
    const heldMs = (end ?? trial.to) - start;
    if (!isWork(hold) || heldMs <= least || start + least < trial.from) return;
    const hit = { label: printable(hold.key), class: hold.class, value: heldMs };
    const [fires, firesNow] = [heldMs > tried, heldMs > now];
    hits.push({ ...hit, at: Math.round(start + (fires ? tried : now)), fires, firesNow });
    seen.push(evidence);
  };
  const least = await leastLimit(context, trial, limitsOf);
  await eachHold(context, trial, { lastedMs: least, each: judge });
  return { hits, basis: 0, evidence: weakest(seen), tells: true, tellsNow: true };
}

/** Shorter holds are none by any class's limit: they need not be read. */
async function leastLimit(
  { store, targetId }: QueryContext,
  { class: lockClass }: Trial,
  limitsOf: (lockClass: string) => { least: number },
): Promise<number> {
  const classes = lockClass === null ? await store.classes(targetId) : [lockClass];
  const limits = ['', ...classes].map((name) => limitsOf(name).least);
  const least = Math.min(...limits);
  return Number.isFinite(least) ? Math.max(0, Math.floor(least)) : Number.MAX_SAFE_INTEGER;
}
