import type { Target } from '@/lib/protocol/target';

export interface TargetSummary {
  /** Every node answers. */
  connected: boolean;
  eventsPerSecond: number;
  sweeping: boolean;
  blind: boolean;
  otherWarnings: number;
}

/** What the strip at the top says of one target. */
export function summariseTarget({ nodes, warnings }: Target): TargetSummary {
  const blindWarnings = warnings.filter(({ code }) => code === 'blind').length;
  return {
    connected: nodes.length > 0 && nodes.every((node) => node.connected),
    eventsPerSecond: nodes.reduce((sum, node) => sum + node.eventsPerSecond, 0),
    // Sweeps repeat by the minute; only the first one is worth telling.
    sweeping: nodes.some((node) => node.sweep.running && node.sweep.finishedAt === null),
    blind: blindWarnings > 0,
    otherWarnings: warnings.length - blindWarnings,
  };
}
