import { said } from '@/lib/messages/in-english';
import type { AlertCode } from '@/lib/protocol/alert';
import { CodedError } from '@/lib/protocol/errors';
import type { Rule } from '@/lib/protocol/rules';
import { RULE_KIND, ruleId, type RuleDocument } from '@/server/alerts/rule-document';
import type { QueryContext } from '@/server/queries/query-context';
import { requireFitting } from '@/server/queries/rule-fits';
import { rules as rulesPage } from '@/server/queries/rules';
import { orSayWhoChanged, isAbout, type EditedDocument } from './changed-meanwhile';
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

export function ruleOf(context: QueryContext, code: AlertCode): Rule {
  const rule = rulesPage(context).rules.find((one) => one.code === code);
  if (!rule) throw new CodedError('NOT_FOUND', said('not-found:rule', { code }));
  return rule;
}

/** What is changed when a rule is. */
export const ruleDocument = (
  { rules }: QueryContext,
  code: AlertCode,
  lockClass: string | null,
): EditedDocument => ({
  ...{ kind: RULE_KIND, id: ruleId(code, lockClass) },
  followed: [{ kind: RULE_KIND, edits: () => rules.edits, replace: rules.restore }],
  isChange: ({ action, before, after }) =>
    action.startsWith('rule.') && isAbout({ code, class: lockClass }, after ?? before),
});

/** Sets what holds for one kind of alert, for all classes or one. Saved before it counts. Throws CONFLICT. */
export const ruleSave: Verb<'rule.save'> = {
  isAudited: true,
  subject: ruleSubject,
  run: async (
    context,
    { code, class: lockClass = null, setting, version: changedFrom, reason },
  ) => {
    requireFitting(code, setting);
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
    const id = ruleId(code, lockClass);
    const expected = changedFrom === undefined ? rules.versionOf(code, lockClass) : changedFrom;
    const version = await orSayWhoChanged(context, ruleDocument(context, code, lockClass), () =>
      context.store.saveDocument({ kind: RULE_KIND, id, value: document }, expected),
    );
    rules.save(document, version);
    return {
      after: { code, class: lockClass, setting },
      finish: answer({ rule: ruleOf(context, code) }),
    };
  },
};
