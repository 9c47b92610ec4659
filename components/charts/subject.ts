import type { UrlParams } from '@/components/hooks';
import { fromBase64Url, printable } from '@/lib/protocol/bytes';

/** What figures are about, as the address says; '' and null stand for all. */
export interface Subject {
  namespace: string | null;
  class: string;
  /** Printable. */
  key: string;
  /** The exact bytes, from a link; then `key` is what they print as. */
  keyB64: string | null;
  db: number | null;
}

/** The namespace of locks that have none is the empty one, which an address cannot hold. */
const NO_NAMESPACE = '~';

export const namespaceFromAddress = (text: string | null): string | null =>
  text === NO_NAMESPACE ? '' : text;

export const namespaceForAddress = (namespace: string | null): string | null =>
  namespace === '' ? NO_NAMESPACE : namespace;

export function readSubject(get: UrlParams['get']): Subject {
  const keyB64 = get('keyB64');
  const bytes = keyB64 === null ? null : fromBase64Url(keyB64);
  const db = get('db');
  return {
    namespace: namespaceFromAddress(get('namespace')),
    class: get('class') ?? '',
    key: bytes === null ? (get('key') ?? '') : printable(bytes),
    keyB64: bytes === null ? null : keyB64,
    db: db !== null && /^\d{1,9}$/.test(db) ? Number(db) : null,
  };
}

export interface SubjectQuery {
  namespace?: string;
  class?: string;
  key?: string;
  keyB64?: string;
  db?: number;
}

export function subjectQuery(subject: Subject): SubjectQuery {
  const { namespace, key, keyB64, db } = subject;
  return {
    ...(namespace === null ? {} : { namespace }),
    ...(subject.class === '' ? {} : { class: subject.class }),
    ...(keyB64 === null ? (key === '' ? {} : { key }) : { keyB64 }),
    ...(db === null || key === '' ? {} : { db }),
  };
}

export const isNarrowed = (subject: Subject): boolean =>
  Object.keys(subjectQuery(subject)).length > 0;

/** The changes of the address that choose a subject; what is not named is left out. */
export function subjectChanges(query: SubjectQuery): Record<string, string | number | null> {
  return {
    namespace: namespaceForAddress(query.namespace ?? null),
    class: query.class ?? null,
    key: query.key ?? null,
    keyB64: query.keyB64 ?? null,
    db: query.db ?? null,
  };
}

/** The address of a page that shows measures of that subject. */
export function subjectHref(
  page: '/heatmap' | '/waits' | '/blame',
  query: SubjectQuery,
  more: Record<string, string | number> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...subjectChanges(query), ...more })) {
    if (value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? page : `${page}?${search.toString()}`;
}
