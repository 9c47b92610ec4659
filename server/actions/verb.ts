import type { ActionInput, ActionName, ActionResult } from '@/lib/protocol/actions';
import type { Bytes } from '@/lib/protocol/bytes';
import type { QueryContext } from '@/server/queries/query-context';

/** What an action is about, found out before anything is done. Never throws. */
export interface Subject {
  db: number | null;
  key: Bytes | null;
  /** Namespaces that the actor must be allowed to act in; `all` = more than any single one. */
  namespaces: readonly string[] | 'all';
  /** The state before, for the audit. */
  before: unknown;
  /** What the hold that it is about is for, where its holder says so. */
  businessId?: string | null;
}

export interface Done<N extends ActionName> {
  /** The state after, for the audit. */
  after: unknown;
  /** What is left to observe once the outcome is in the audit; resolves to the answer. */
  finish: () => Promise<ActionResult<N>>;
}

/** What a verb may know of the request it serves. */
export interface Request {
  id: string;
  /** Another action on behalf of the same actor, through the whole act flow. */
  act: <M extends ActionName>(action: M, input: ActionInput<M>, id: string) => Promise<Done<M>>;
}

/** One thing an actor may do. Parsing, permission and audit are `runAction`'s; a verb only acts. */
export interface Verb<N extends ActionName> {
  /** False for what changes nothing. */
  isAudited: boolean;
  subject: (context: QueryContext, input: ActionInput<N>) => Subject;
  /** Throws coded errors; `details` of a CONFLICT say what was found instead. */
  run: (context: QueryContext, input: ActionInput<N>, request: Request) => Promise<Done<N>>;
}

/** Nothing is left to observe: the answer is known. */
export const answer =
  <R>(result: R): (() => Promise<R>) =>
  async () =>
    result;
