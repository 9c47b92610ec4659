'use client';

import { useTranslations } from 'use-intl';
import type { Advice } from '@/lib/protocol/measures';
import { subjectHref, type SubjectQuery } from '@/components/charts/subject';
import { lockHref } from '@/components/labels';
import { useTargetId } from '@/components/hooks';
import { PageLink } from '@/components/ui/page-link';

/** The lock itself, and the waits and who caused them in the time that was replayed. */
export function AdviceLinks({ advice }: { advice: Advice }) {
  const t = useTranslations('advice');
  const target = useTargetId();
  const { lock, namespace, classes, basis } = advice;
  const subject: SubjectQuery = lock
    ? { keyB64: lock.keyB64, db: lock.db }
    : { namespace, class: classes[0] ?? '' };
  const span = { from: basis.from, to: basis.to };
  const links = [
    ...(lock && target !== null
      ? [{ name: 'lock', href: lockHref({ target, ...lock }) } as const]
      : []),
    { name: 'waits', href: subjectHref('/waits', subject, span) } as const,
    { name: 'blame', href: subjectHref('/blame', subject, span) } as const,
  ];
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {links.map(({ name, href }) => (
        <li key={name}>
          <PageLink href={href} className="text-accent-ink hover:underline">
            {t(`links.${name}`)}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
