import { said } from '@/lib/messages/in-english';
import { randomUUID } from 'node:crypto';
import { ACTIONS, type ActionInput, type ActionName } from '@/lib/protocol/actions';
import { printableText } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import { hasRole, type Actor } from '@/server/auth/actor';
import { parseInput } from '@/server/queries/parse-input';
import type { QueryContext } from '@/server/queries/query-context';
import { auditOutcome, auditRequested, outcomeOf, type Trail } from './audit-trail';
import { isActionName, VERBS } from './index';
import type { Done, Request, Subject, Verb } from './verb';

/**
 * The act flow, for everybody who wants something done: parse, authorise, audit the request, act, audit
 * the outcome, observe what follows. Throws coded errors; unknown ones pass through as they are.
 */
export async function runAction(
  context: QueryContext,
  name: string,
  rawInput: unknown,
): Promise<unknown> {
  if (!isActionName(name))
    throw new CodedError('NOT_FOUND', said('not-found:action', { action: name }));
  const done = await act(context, name, rawInput);
  return await done.finish();
}

/** The flow up to the audited outcome; `finish` of what it returns observes the rest. */
async function act<N extends ActionName>(
  context: QueryContext,
  name: N,
  rawInput: unknown,
  requestId: string = randomUUID(),
): Promise<Done<N>> {
  const input = withPrintableTexts(parseActionInput(name, rawInput));
  const verb: Verb<N> = VERBS[name];
  const subject = verb.subject(context, input);
  const { reason, businessId: given } = reasonOf(input);
  // The operator's word goes before the holder's own.
  const businessId = given ?? subject.businessId ?? null;
  const trail: Trail = { action: name, requestId, subject, reason, businessId };

  const refusal = refusalFor(context.actor, name, subject);
  if (refusal) {
    await auditOutcome(context, trail, outcomeOf(refusal));
    throw refusal;
  }
  const request: Request = {
    id: requestId,
    act: (other, otherInput, id) => act(context, other, otherInput, id),
  };
  if (!verb.isAudited) return await verb.run(context, input, request);

  await auditRequested(context, trail);
  let done: Done<N>;
  try {
    done = await verb.run(context, input, request);
  } catch (error) {
    await auditOutcome(context, trail, outcomeOf(error));
    throw error;
  }
  await auditOutcome(context, trail, { outcome: 'done', code: null, after: done.after });
  return done;
}

const MAX_TEXT = 500;

/** What people typed is kept and shown like keys: nothing in it can disguise what stands beside it. */
function withPrintableTexts<I extends object>(input: I): I {
  const typed = Object.entries(reasonOf(input)).flatMap(([name, text]) =>
    text === null ? [] : [[name, printableText(text).slice(0, MAX_TEXT)]],
  );
  return { ...input, ...Object.fromEntries(typed) };
}

/** Each action is paired with its own schema; TypeScript cannot follow that through a generic. */
const parseActionInput = <N extends ActionName>(name: N, rawInput: unknown): ActionInput<N> =>
  parseInput(ACTIONS[name].input, rawInput) as ActionInput<N>;

function refusalFor(actor: Actor, name: ActionName, { namespaces }: Subject): CodedError | null {
  const { role } = ACTIONS[name];
  if (!hasRole(actor, role)) {
    const values = { action: name, role, actor: actor.name, actual: actor.role };
    return new CodedError('FORBIDDEN', said('forbidden:role', values), { role });
  }
  if (!actor.namespaces) return null;
  const allowed = new Set(actor.namespaces);
  const values = { actor: actor.name };
  if (namespaces === 'all') {
    return new CodedError('FORBIDDEN', said('forbidden:all-namespaces', values));
  }
  const namespace = namespaces.find((n) => !allowed.has(n));
  if (namespace === undefined) return null;
  return new CodedError(
    'FORBIDDEN',
    namespace === ''
      ? said('forbidden:no-namespace', values)
      : said('forbidden:namespace', { ...values, namespace }),
  );
}

/** The members that the audit keeps, of inputs that have them. */
function reasonOf(input: object): { reason: string | null; businessId: string | null } {
  const textOf = (name: string): string | null => {
    const value: unknown = Object.entries(input).find(([member]) => member === name)?.[1];
    return typeof value === 'string' ? value : null;
  };
  return { reason: textOf('reason'), businessId: textOf('businessId') };
}
