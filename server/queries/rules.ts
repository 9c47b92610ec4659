import type { AlertCode } from '@/lib/protocol/alert';
import type { Rule, RulesPage } from '@/lib/protocol/rules';
import type { QueryContext } from './query-context';
import { usualHoldOf } from './usual-hold';

/** What holds for each kind of alert, and who silenced what. */
export function rules(context: QueryContext): RulesPage {
  const open = context.alerts.open();
  const byCode = countBy(open.map(({ code }) => code));
  const bySilence = countBy(open.map(({ silenceId }) => silenceId ?? ''));
  return {
    rules: context.rules
      .list((code: AlertCode) => byCode.get(code) ?? 0)
      .map((rule) => withUsual(context, rule)),
    silences: context.silences.list(context.now(), (id) => bySilence.get(id) ?? 0),
  };
}

/** An exception whose threshold is adaptive says what it rests on. */
const withUsual = ({ analysis }: QueryContext, rule: Rule): Rule => ({
  ...rule,
  classes: rule.classes.map((exception) =>
    exception.setting.threshold?.kind === 'adaptive'
      ? { ...exception, usual: usualHoldOf(analysis.usual, exception.class) }
      : exception,
  ),
});

function countBy<Name>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
