import type { LockName } from '@/server/store/history-contract';
import { keyOf } from './lock-address';
import { bytesFromPrintable } from './printed-key';
import type { ServerContext } from './query-context';

/** What figures are asked of; nothing named = everything. */
export interface Subject {
  namespace: string | undefined;
  class: string | undefined;
  /** Null = whole classes. */
  locks: readonly LockName[] | null;
}

export interface SubjectParams {
  namespace?: string | undefined;
  class?: string | undefined;
  key?: string | undefined;
  keyB64?: string | undefined;
  db?: number | undefined;
}

/** `keyB64` wins over `key`; without `db` the lock of that name is meant in each db. Throws INVALID_INPUT. */
export function subjectOf(context: ServerContext, params: SubjectParams): Subject {
  const { namespace, class: lockClass, key: printed, keyB64, db } = params;
  const subject = { namespace, class: lockClass };
  if (keyB64 === undefined && printed === undefined) return { ...subject, locks: null };
  const key = keyB64 === undefined ? bytesFromPrintable(printed ?? '') : keyOf(keyB64);
  const dbs = db === undefined ? context.watch.status().dbs : [db];
  return { ...subject, locks: dbs.map((each) => ({ db: each, key })) };
}

/** The subject as history is asked for it: one question for each lock. */
export function questionsOf({ namespace, class: lockClass, locks }: Subject) {
  const question = { namespace, class: lockClass };
  return locks === null ? [question] : locks.map((lock) => ({ ...question, lock }));
}

export const isEverything = ({ namespace, class: lockClass, locks }: Subject): boolean =>
  namespace === undefined && lockClass === undefined && locks === null;
