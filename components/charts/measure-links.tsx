'use client';

import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { buttonClass } from '@/components/ui/button';
import { PageLink } from '@/components/ui/page-link';
import { measureHref, type MeasurePage, type MeasureTime } from './measure-href';
import type { SubjectQuery } from './subject';

interface Props {
  /** The pages to lead to. */
  to: readonly MeasurePage[];
  subject: SubjectQuery;
  time: MeasureTime;
}

/** From one page of measures to the others, about the same locks and the same time. */
export function MeasureLinks({ to, subject, time }: Props) {
  const t = useTranslations('charts.links');
  const now = useNow(10_000);
  return to.map((page) => (
    <PageLink
      key={page}
      href={measureHref(page, { subject, time, now })}
      prefetch={false}
      className={buttonClass()}
    >
      {t(page)}
    </PageLink>
  ));
}
