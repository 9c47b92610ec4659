import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { RULE_KIND, ruleId } from '@/server/alerts/rule-document';
import { orSayWhoChanged } from './changed-meanwhile';
import { ruleDocument, ruleOf, ruleSubject } from './rule-save';
import { answer, type Verb } from './verb';

/** Takes back what was set for one kind of alert, for all classes or one: its standard holds again. */
export const ruleReset: Verb<'rule.reset'> = {
  isAudited: true,
  subject: ruleSubject,
  run: async (context, { code, class: lockClass = null, version: changedFrom }) => {
    const { rules } = context;
    const known = rules.versionOf(code, lockClass);
    const expected = changedFrom ?? known ?? undefined;
    if (known === null && typeof changedFrom !== 'number') {
      throw new CodedError('NOT_FOUND', said('not-found:rule', { code }));
    }
    await orSayWhoChanged(context, ruleDocument(context, code, lockClass), () =>
      context.store.removeDocument(RULE_KIND, ruleId(code, lockClass), expected),
    );
    rules.reset(code, lockClass);
    return {
      after: { code, class: lockClass, setting: null },
      finish: answer({ rule: ruleOf(context, code) }),
    };
  },
};
