import type { AlertCode } from '@/lib/protocol/alert';
import type { RULE_UNITS, Threshold } from '@/lib/protocol/rules';
import type { LockRecord } from '@/server/state/lock-record';
import type { View } from './analyser';
import type { AnalysisSettings } from './analysis-contract';
import { longHoldMsOf } from './long-hold-threshold';

export type RuleUnit = (typeof RULE_UNITS)[number];

interface Standard {
  unit: RuleUnit;
  value: number;
  /** Less than this is not seen, so no threshold may lie below. */
  least?: number;
}

/** A channel that fails for less may only have been restarted. */
export const CHANNEL_FAILS_FOR_MS = 5 * 60_000;

/** What each code's threshold counts, and where it lies while nobody sets another. */
const STANDARDS = {
  'long-hold': { unit: 'ms', value: 60_000 },
  'no-expiry': { unit: 'ms', value: 30_000 },
  'orphan-queue': { unit: 'ms', value: 2000 },
  'free-but-waited': { unit: 'ms', value: 2000 },
  'signal-leak': { unit: 'ms', value: 2000 },
  // Channels are listed every five seconds, and each lock is read once before it counts as gone.
  'channel-leak': { unit: 'ms', value: 10 * 60_000, least: 10_000 },
  // An acquire leaves the queue in the same step; longer than this it is no step in between.
  'self-wait': { unit: 'ms', value: 1000 },
  'one-sided': { unit: 'ms', value: 300_000 },
  'notify-failing': { unit: 'ms', value: CHANNEL_FAILS_FOR_MS },
  // Whoever wants to hear of those alone that no worker puts back sets a minute or two.
  'stalled-risk': { unit: 'ms', value: 1000 },
  flapping: { unit: 'count', value: 3, least: 2 },
  'waiter-pileup': { unit: 'count', value: 20, least: 1 },
  'slow-handoff': { unit: 'count', value: 3, least: 1 },
  'blocking-chain': { unit: 'count', value: 3, least: 1 },
  convoy: { unit: 'count', value: 3, least: 1 },
  'lease-too-short': { unit: 'count', value: 200, least: 100 },
  // A trace tells of no slower ones.
  'retry-storm': { unit: 'per-second', value: 50, least: 50 },
  'hot-client': { unit: 'per-second', value: 50, least: 50 },
} as const satisfies Partial<Record<AlertCode, Standard>>;

export type ThresholdCode = keyof typeof STANDARDS;

const BY_CODE: Partial<Record<AlertCode, Standard>> = STANDARDS;

/** Null for codes that have no threshold. */
export const thresholdStandard = (code: AlertCode): Standard | null => BY_CODE[code] ?? null;

type OfClass = Pick<LockRecord, 'class' | 'namespace'>;

/** What somebody set, in the unit of the code; null = nobody did. */
export function setThreshold(
  { settings, usual }: Pick<View, 'settings' | 'usual'>,
  code: ThresholdCode,
  of: OfClass | null,
): number | null {
  const set = settings.thresholdOf?.(code, of?.class ?? null) ?? null;
  if (set === null) return null;
  return valueOf(set, set.kind === 'adaptive' && of !== null ? usual.quantile(of, 0.99) : null);
}

/** `p99Ms`: that of the class's holds; null while too few were seen. */
export function valueOf(threshold: Threshold, p99Ms: number | null): number {
  if (threshold.kind === 'static') return threshold.value;
  if (p99Ms === null) return threshold.otherwise;
  return Math.max(threshold.least, Math.round(threshold.factor * p99Ms));
}

/** Of a code that is judged for all locks together. */
export function thresholdForAll(settings: AnalysisSettings, code: ThresholdCode): number {
  const set = settings.thresholdOf?.(code, null) ?? null;
  return set === null ? STANDARDS[code].value : valueOf(set, null);
}

/** Beyond what a finding of the code is one, for locks of that class; null = of no single class. */
export function thresholdOf(view: View, code: ThresholdCode, of: OfClass | null): number {
  return setThreshold(view, code, of) ?? standardOf(view, code, of);
}

function standardOf({ settings }: View, code: ThresholdCode, of: OfClass | null): number {
  if (code === 'long-hold') return longHoldMsOf(settings, of?.class ?? '');
  return code === 'no-expiry' ? settings.noExpiryMs : STANDARDS[code].value;
}
