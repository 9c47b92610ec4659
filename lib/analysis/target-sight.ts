import type { TARGET_SIGHTS } from '@/lib/protocol/closed-sets';
import type { Target } from '@/lib/protocol/target';

export type TargetSight = (typeof TARGET_SIGHTS)[number];

/**
 * Without a connected node nothing is seen, and neither where no kind of event is proven and the watch
 * says that it is blind. A warning of the code `blind` alone does not make a target partly blind: it may
 * be about a task that fails while every event arrives.
 */
export function sightOfTarget({ nodes, warnings }: Target): TargetSight {
  const connected = nodes.filter((node) => node.connected);
  if (connected.length === 0) return 'nothing';
  const answers = connected.flatMap(({ canSee }) => Object.values(canSee));
  const isProven = answers.includes(true);
  const isDenied = answers.includes(false) || connected.length < nodes.length;
  if (!isProven && (isDenied || warnings.some(({ code }) => code === 'blind'))) return 'nothing';
  return isDenied ? 'part' : 'whole';
}

/**
 * Until when a target that is out of reach now was seen, epoch ms: the start of the gap that lasts. Null
 * where that is not known; `undefined` while any node of it is connected.
 */
export function lostSince({ nodes }: Target): number | null | undefined {
  if (nodes.length === 0 || nodes.some((node) => node.connected)) return undefined;
  const starts = nodes.flatMap(({ gaps }) => gaps.filter(({ to }) => to === null));
  return starts.length === 0 ? null : Math.min(...starts.map(({ from }) => from));
}
