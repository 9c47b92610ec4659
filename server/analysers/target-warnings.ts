import { sentence, verbatim } from '@/lib/messages/sentence';
import { AlertCode, type Severity } from '@/lib/protocol/alert';
import type { Sentence } from '@/lib/protocol/sentence';
import type { TargetWarning } from '@/lib/protocol/target';
import { sightOf, type Analyser, type View } from './analyser';
import type { Finding } from './finding';
import { targetSubject, weakest } from './subject';

const SEVERITY: Partial<Record<AlertCode, Severity>> = {
  blind: 'critical',
  'write-refused': 'critical',
  'old-redis': 'info',
};

/** How long a warning must have lasted to be an alert: by then the watch has looked into the other dbs. */
const LASTS_MS: Partial<Record<AlertCode, number>> = { 'db-mismatch': 3000 };

/** A reconnect within this time is told by its gap alone. */
const DISCONNECTED_LASTS_MS = 1000;

function warningsByCode({ target }: View): Map<AlertCode, TargetWarning[]> {
  const byCode = new Map<AlertCode, TargetWarning[]>();
  for (const warning of target.warnings) {
    // What is no alert code has no severity or text of its own; it is still told on the targets page.
    const code = AlertCode.safeParse(warning.code);
    if (!code.success) continue;
    byCode.set(code.data, [...(byCode.get(code.data) ?? []), warning]);
  }
  return byCode;
}

const distinct = (said: Sentence[]): Sentence[] => [
  ...new Map(said.map((one) => [JSON.stringify(one), one])).values(),
];

/**
 * The watch's own warnings about the target (`<code>:<target>`), and that it is not connected at all. The
 * watch says what is the case; since when is remembered here.
 */
export function createTargetWarnings(): Analyser {
  let since = new Map<AlertCode, number>();
  let disconnectedAt: number | null = null;

  const disconnected = ({ now, target }: View): Finding | null => {
    if (sightOf(target) !== 'nothing') {
      disconnectedAt = null;
      return null;
    }
    disconnectedAt ??= now;
    if (now - disconnectedAt <= DISCONNECTED_LASTS_MS) return null;
    return {
      id: `blind:${target.id}`,
      code: 'blind',
      severity: 'critical',
      subject: targetSubject(target.id),
      summary: [sentence('blind:disconnected', { disconnectedAt })],
      remedy: [sentence('blind:disconnected-remedy', {})],
      since: disconnectedAt,
      count: 1,
      evidence: 'observed',
      moment: false,
    };
  };

  const warned = (code: AlertCode, warnings: TargetWarning[], view: View): Finding => ({
    id: `${code}:${view.target.id}`,
    code,
    severity: SEVERITY[code] ?? 'warning',
    subject: targetSubject(view.target.id),
    summary: distinct(
      warnings.flatMap(({ message, sentences }) => sentences?.message ?? [verbatim(message)]),
    ),
    remedy: distinct(
      warnings.flatMap(({ remedy, sentences }) => sentences?.remedy ?? [verbatim(remedy)]),
    ),
    since: since.get(code) ?? view.now,
    count: warnings.length,
    evidence: weakest(warnings.map(({ evidence = 'observed' }) => evidence)),
    moment: false,
  });

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'connection') disconnectedAt = change.connected ? null : change.at;
      }
    },
    findings: (view) => {
      const down = disconnected(view);
      const byCode = warningsByCode(view);
      // Before a second has passed it may be a reconnect, or the start.
      if (sightOf(view.target) === 'nothing') byCode.delete('blind');
      const all = [...byCode].map(([code, warnings]) => warned(code, warnings, view));
      since = new Map(all.map((finding) => [finding.code, finding.since]));
      const found = all.filter(({ code, since: from }) => view.now - from >= (LASTS_MS[code] ?? 0));
      return down ? [down, ...found] : found;
    },
  };
}
