import { fitsEverything } from '@/lib/analysis/alert-matcher';
import { escapeGlob } from '@/lib/analysis/glob';
import type { Alert } from '@/lib/protocol/alert';
import type { Matcher } from '@/lib/protocol/rules';

/** A matcher for alerts of the same kind about the same class; about the same namespace or lock where no class is. */
export function similarTo({ code, labels, subject }: Alert): Matcher {
  if (labels?.class != null) return { code, class: labels.class };
  if (labels?.namespace != null && labels.namespace !== '') {
    return { code, namespace: labels.namespace };
  }
  const [lock] = subject.locks;
  return lock ? { code, key: escapeGlob(lock.key) } : { code };
}

/** Whether the matcher leaves anything out: one that fits every alert is refused. */
export const isMatcher = (matcher: Matcher): boolean => !fitsEverything(matcher);
