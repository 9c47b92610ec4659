import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { Analyser } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';

const KEPT = 500;

export interface NotedAnalyser extends Analyser {
  note: (finding: Finding) => void;
}

/** What a verb found out while it ran: kept for an hour, at most 500, the oldest go first. */
export function createNoted(): NotedAnalyser {
  const noted = new Map<string, Finding>();
  return {
    needs: 'nothing',
    note: (finding) => {
      noted.delete(finding.id);
      noted.set(finding.id, finding);
      dropOldest(noted, KEPT);
    },
    findings: ({ now }) => {
      for (const [id, { since }] of noted) if (now - since > MOMENT_LASTS_MS) noted.delete(id);
      return [...noted.values()];
    },
  };
}
