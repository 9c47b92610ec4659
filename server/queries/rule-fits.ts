import { said } from '@/lib/messages/in-english';
import type { AlertCode } from '@/lib/protocol/alert';
import { CodedError } from '@/lib/protocol/errors';
import type { RuleSetting } from '@/lib/protocol/rules';
import type { Said } from '@/lib/protocol/sentence';
import { MOMENT_CODES } from '@/server/analysers/finding';
import { thresholdStandard } from '@/server/analysers/thresholds';

/** Throws INVALID_INPUT where the setting asks of the code what it cannot do. */
export function requireFitting(code: AlertCode, { forMs, threshold }: RuleSetting): void {
  const refuse = (field: string, why: Said): CodedError =>
    new CodedError('INVALID_INPUT', why, { field: `setting.${field}` });
  if (forMs > 0 && MOMENT_CODES.has(code)) throw refuse('forMs', said('rule:moment', { code }));
  const standard = thresholdStandard(code);
  if (standard === null) {
    if (threshold !== null) throw refuse('threshold', said('rule:no-threshold', { code }));
    return;
  }
  if (threshold === null) throw refuse('threshold', said('rule:needs-threshold', { code }));
  if (threshold.kind === 'adaptive') {
    if (standard.unit !== 'ms') throw refuse('threshold', said('rule:not-adaptive', { code }));
  } else if (threshold.value < (standard.least ?? 0)) {
    throw refuse('threshold', said('rule:least', { code, least: standard.least ?? 0 }));
  }
}
