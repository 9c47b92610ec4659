import { compileName } from '@/lib/analysis/name-pattern';
import type { NamePattern } from '@/lib/protocol/name-pattern';

const NAMED = 3;

/** How many of the names fit one of the patterns; the first of them with commas between, and how many more there are. */
export function fittingNames(
  patterns: readonly NamePattern[],
  known: readonly string[],
): { count: number; names: string; more: number } {
  const compiled = patterns.map((pattern) => compileName(pattern));
  const fitting = known.filter((name) => compiled.some((fits) => fits(name)));
  const names = fitting.slice(0, NAMED).join(', ');
  return { count: fitting.length, names, more: Math.max(0, fitting.length - NAMED) };
}
