import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { RULE_KIND, ruleId } from '@/server/alerts/rule-document';
import { requireShownRule, ruleOf, ruleSubject } from './rule-save';
import { answer, type Verb } from './verb';

/** Takes back what was set for one kind of alert, for all classes or one: its standard holds again. */
export const ruleReset: Verb<'rule.reset'> = {
  isAudited: true,
  subject: ruleSubject,
  run: async (context, input) => {
    const { code, class: lockClass = null } = input;
    if (context.rules.set(code, lockClass) === undefined) {
      throw new CodedError('NOT_FOUND', said('not-found:rule', { code }));
    }
    requireShownRule(context, input);
    const { rules } = context;
    const version = rules.versionOf(code, lockClass) ?? undefined;
    await context.store.removeDocument(RULE_KIND, ruleId(code, lockClass), version);
    rules.reset(code, lockClass);
    return {
      after: { code, class: lockClass, setting: null },
      finish: answer({ rule: ruleOf(context, code) }),
    };
  },
};
