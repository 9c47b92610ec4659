import type { AlertCode } from '@/lib/protocol/alert';
import type { Rule, RulesPage } from '@/lib/protocol/rules';
import type { QueryContext } from './query-context';
import { limitOf, mostHeld, usualHoldOf } from './usual-hold';

const MOST_CLASSES = 5;

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

/** Where an adaptive threshold lies, and what that rests on. */
function withUsual({ analysis }: QueryContext, rule: Rule): Rule {
  const { usual } = analysis;
  const { threshold } = rule.setting;
  const named = new Set(rule.classes.map((exception) => exception.class));
  return {
    ...rule,
    classes: rule.classes.map((exception) => {
      const own = exception.setting.threshold;
      if (own?.kind !== 'adaptive') return exception;
      return { ...exception, usual: limitOf(own, usualHoldOf(usual, exception.class)) };
    }),
    usual:
      threshold?.kind === 'adaptive'
        ? mostHeld(usual, MOST_CLASSES, named).map((each) => limitOf(threshold, each))
        : [],
  };
}

function countBy<Name>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
