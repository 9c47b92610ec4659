import { sentence } from '@/lib/messages/sentence';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';

/** An analyser by its name; what it throws becomes a finding, and the others go on. */
export interface Named {
  name: string;
  analyser: Analyser;
}

/**
 * Wraps an analyser so that a fault in it neither silences the others nor goes unnoticed: its findings stay
 * as they were, and `judging-failed` is one more until it works again.
 */
export function guarded({ name, analyser }: Named): Analyser {
  let fault: { message: string; since: number } | null = null;
  let isFaulty = false;
  let last: Finding[] = [];
  const attempt = (run: () => void, now: number): void => {
    try {
      run();
    } catch (error) {
      isFaulty = true;
      const message = error instanceof Error ? error.message : String(error);
      fault = { message, since: fault?.since ?? now };
    }
  };
  const { observe, held, awaited } = analyser;
  return {
    needs: analyser.needs,
    ...(observe && {
      observe: (changes) => attempt(() => observe(changes), changes[0]?.at ?? 0),
    }),
    ...(held && {
      held: (lock, hold, view) => attempt(() => held(lock, hold, view), view.now),
    }),
    ...(awaited && { awaited: (lock, view) => attempt(() => awaited(lock, view), view.now) }),
    findings: (view) => {
      attempt(() => (last = analyser.findings(view)), view.now);
      if (!isFaulty) fault = null;
      isFaulty = false;
      return fault === null ? last : [...last, failed(name, fault, view)];
    },
  };
}

function failed(name: string, fault: { message: string; since: number }, view: View): Finding {
  const target = view.target.id;
  return {
    id: `judging-failed:${name}`,
    code: 'judging-failed',
    severity: 'critical',
    subject: { kind: 'target', label: target, locks: [], deadlockId: null },
    summary: [sentence('judging-failed:check', { check: name, message: fault.message })],
    remedy: [sentence('judging-failed:remedy', {})],
    since: fault.since,
    count: 1,
    evidence: 'observed',
    moment: false,
  };
}
