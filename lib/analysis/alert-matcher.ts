import type { Alert } from '@/lib/protocol/alert';
import type { Matcher } from '@/lib/protocol/rules';
import { compileName, fitsEveryFullName, fitsEveryName } from './name-pattern';

/** Whether an alert fits all that the matcher gives. A key that fits is one of those the alert lists. */
export function compileMatcher(matcher: Matcher): (alert: Alert) => boolean {
  const { code, severity, key } = matcher;
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

const compiled = (pattern: Parameters<typeof compileName>[0] | undefined) =>
  pattern === undefined ? null : compileName(pattern);

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
