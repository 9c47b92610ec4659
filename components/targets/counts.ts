/** A count short enough for a sentence: 940 · 312k · 1.0M. */
export function shortCount(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (count >= 10_000) return `${Math.floor(count / 1000)}k`;
  return String(count);
}
