import { said } from '@/lib/messages/in-english';
import type { AlertCode } from '@/lib/protocol/alert';
import type { RuleResetInput } from '@/lib/protocol/alert-actions';
import { CodedError } from '@/lib/protocol/errors';
import type { Rule } from '@/lib/protocol/rules';
import { RULE_KIND, ruleId, type RuleDocument } from '@/server/alerts/rule-document';
import type { QueryContext } from '@/server/queries/query-context';
import { requireFitting } from '@/server/queries/rule-fits';
import { rules as rulesPage } from '@/server/queries/rules';
import { requireShown } from './require-shown';
import { answer, type Subject, type Verb } from './verb';

/** Classes of one code that may be set apart from the others. */
const MOST_EXCEPTIONS = 1000;

/** It may concern locks of any namespace. */
export const ruleSubject = (
  { rules }: QueryContext,
  { code, class: lockClass = null }: { code: AlertCode; class?: string | null | undefined },
): Subject => ({
  db: null,
  key: null,
  namespaces: 'all',
  before: { code, class: lockClass, setting: rules.set(code, lockClass)?.setting ?? null },
});

/** @throws CodedError CONFLICT where what holds is not what was shown; null = nothing of its own was. */
export function requireShownRule(
  { rules }: QueryContext,
  { code, class: lockClass = null, shown }: RuleResetInput,
): void {
  const isUnset = shown === null;
  const own = rules.set(code, lockClass)?.setting ?? null;
  requireShown(shown, isUnset ? own : rules.settingFor(code, lockClass));
}

export function ruleOf(context: QueryContext, code: AlertCode): Rule {
  const rule = rulesPage(context).rules.find((one) => one.code === code);
  if (!rule) throw new CodedError('NOT_FOUND', said('not-found:rule', { code }));
  return rule;
}

/** Sets what holds for one kind of alert, for all classes or one. Saved before it counts. Throws CONFLICT. */
export const ruleSave: Verb<'rule.save'> = {
  isAudited: true,
  subject: ruleSubject,
  run: async (context, input) => {
    const { code, class: lockClass = null, setting, reason } = input;
    requireFitting(code, setting);
    requireShownRule(context, input);
    const { rules } = context;
    const isNew = lockClass !== null && rules.set(code, lockClass) === undefined;
    if (isNew && rules.countFor(code) >= MOST_EXCEPTIONS) {
      throw new CodedError('TOO_MANY', said('alerts:too-many', { most: MOST_EXCEPTIONS }));
    }
    const document: RuleDocument = {
      ...{ code, class: lockClass, setting, reason },
      actor: context.actor.name,
      at: context.now(),
    };
    const version = await context.store.saveDocument(
      { kind: RULE_KIND, id: ruleId(code, lockClass), value: document },
      rules.versionOf(code, lockClass),
    );
    rules.save(document, version);
    return {
      after: { code, class: lockClass, setting },
      finish: answer({ rule: ruleOf(context, code) }),
    };
  },
};
