import type { AlertCode } from '@/lib/protocol/alert';
import type { RulesPage } from '@/lib/protocol/rules';
import type { QueryContext } from './query-context';

/** What holds for each kind of alert, and who silenced what. */
export function rules(context: QueryContext): RulesPage {
  const open = context.alerts.open();
  const byCode = countBy(open.map(({ code }) => code));
  const bySilence = countBy(open.map(({ silenceId }) => silenceId ?? ''));
  return {
    rules: context.rules.list((code: AlertCode) => byCode.get(code) ?? 0),
    silences: context.silences.list(context.now(), (id) => bySilence.get(id) ?? 0),
  };
}

function countBy<Name>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
