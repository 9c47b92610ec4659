import type { Target } from '@/lib/protocol/target';
import { sightOfTarget, type TargetSight } from '@/lib/analysis/target-sight';

export interface TargetSummary {
  /** Every node answers. */
  connected: boolean;
  eventsPerSecond: number;
  sweeping: boolean;
  sight: TargetSight;
  /** Warnings beside those that `sight` tells of. */
  otherWarnings: number;
}

/** What the strip at the top says of one target. */
export function summariseTarget(target: Target): TargetSummary {
  const { nodes, warnings } = target;
  const sight = sightOfTarget(target);
  const isTold = (code: string): boolean => code === 'blind' && sight !== 'whole';
  return {
    connected: nodes.length > 0 && nodes.every((node) => node.connected),
    eventsPerSecond: nodes.reduce((sum, node) => sum + node.eventsPerSecond, 0),
    // Sweeps repeat by the minute; only the first one is worth telling.
    sweeping: nodes.some((node) => node.sweep.running && node.sweep.finishedAt === null),
    sight,
    otherWarnings: warnings.filter(({ code }) => !isTold(code)).length,
  };
}
