import type { Alert } from '@/lib/protocol/alert';
import { bytesFromText } from '@/lib/protocol/bytes';
import type { Matcher } from '@/lib/protocol/rules';
import { compileGlob } from './glob';

/** Whether an alert fits all that the matcher gives. A key that fits is one of those the alert lists. */
export function compileMatcher(matcher: Matcher): (alert: Alert) => boolean {
  const { code, severity, namespace, class: lockClass, owner, key } = matcher;
  const glob = key === undefined ? null : compileGlob(bytesFromText(key));
  return (alert) =>
    (code === undefined || alert.code === code) &&
    (severity === undefined || alert.severity === severity) &&
    (namespace === undefined || alert.labels?.namespace === namespace) &&
    (lockClass === undefined || alert.labels?.class === lockClass) &&
    (owner === undefined || alert.labels?.owner === owner) &&
    (glob === null || alert.subject.locks.some((lock) => glob(bytesFromText(lock.key))));
}

/** Whether the matcher leaves nothing out: it gives nothing, or nothing but a pattern that every key fits. */
export const fitsEverything = ({ key, ...others }: Matcher): boolean =>
  Object.values(others).every((value) => value === undefined) &&
  (key === undefined || /^\*+$/.test(key));
