import type { Alert } from '@/lib/protocol/alert';
import type { NamePattern } from '@/lib/protocol/name-pattern';
import type { Matcher } from '@/lib/protocol/rules';
import { compileName, fitsEveryFullName, fitsEveryName } from './name-pattern';

/**
 * Whether an alert fits all that the matcher gives. A key that fits is one of those the alert lists. `bytesOf` as for
 * {@link compileName}.
 */
export function compileMatcher(
  matcher: Matcher,
  bytesOf?: Parameters<typeof compileName>[1],
): (alert: Alert) => boolean {
  const { code, severity, key } = matcher;
  const compiled = (pattern: NamePattern | undefined) =>
    pattern === undefined ? null : compileName(pattern, bytesOf);
  const fitsNamespace = compiled(matcher.namespace);
  const fitsClass = compiled(matcher.class);
  const fitsOwner = compiled(matcher.owner);
  const fitsKey = compiled(key === undefined ? undefined : { glob: key });
  return (alert) =>
    (code === undefined || alert.code === code) &&
    (severity === undefined || alert.severity === severity) &&
    (fitsNamespace === null || fitsNamespace(alert.labels?.namespace)) &&
    (fitsClass === null || fitsClass(alert.labels?.class)) &&
    (fitsOwner === null || fitsOwner(alert.labels?.owner)) &&
    (fitsKey === null || alert.subject.locks.some((lock) => fitsKey(lock.key)));
}

/**
 * Whether the matcher leaves nothing out: it gives nothing, or nothing but patterns that every name fits. Namespaces
 * alone may be empty, so that one may be for what has any.
 */
export const fitsEverything = (matcher: Matcher): boolean =>
  matcher.code === undefined &&
  matcher.severity === undefined &&
  (matcher.namespace === undefined || fitsEveryName(matcher.namespace)) &&
  [
    matcher.class,
    matcher.owner,
    matcher.key === undefined ? undefined : { glob: matcher.key },
  ].every((name) => name === undefined || fitsEveryFullName(name));
