'use client';

import { KeyText } from '@/components/labels';
import { listSearch } from '@/components/locks/list/list-url';
import { PageLink } from '@/components/ui/page-link';
import type { LockFilter } from '@/lib/protocol/queries';

interface Props {
  filter: LockFilter;
  text: string;
  /** What the list then shows, where the text alone does not tell. */
  title?: string;
}

/** Leads to all locks that have this in common. */
export function FilterLink({ filter, text, title }: Props) {
  return (
    <PageLink
      href={`/locks${listSearch({ filter, sort: undefined })}`}
      prefetch={false}
      title={title}
      className="inline-flex max-w-[min(16rem,100%)] min-w-0 underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      <KeyText text={text} />
    </PageLink>
  );
}
