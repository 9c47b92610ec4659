'use client';

import { useMessages, useTranslations } from 'use-intl';

interface Props {
  format: string;
  /** False adds a "?": another library could have written the same. */
  certain?: boolean;
  /** Others that fit as well. */
  others?: readonly string[] | undefined;
}

export function FormatLabel({ format, certain = true, others = [] }: Props) {
  const t = useTranslations('labels');
  const nameOf = useFormatName();
  const name = nameOf(format);
  if (certain && others.length === 0) return <span className="truncate">{name}</span>;
  const doubt =
    others.length === 0
      ? t('formatLikely')
      : t('formatOthers', { others: others.map(nameOf).join(', ') });
  return (
    <span className="inline-flex max-w-full min-w-0" title={doubt}>
      <span className="truncate">{name}</span>
      <span aria-hidden className="shrink-0 text-ink-3">
        &thinsp;{others.length === 0 ? '?' : t('formatMore', { count: others.length })}
      </span>
      <span className="sr-only"> {doubt}</span>
    </span>
  );
}

/** Names of formats for places that take text only, such as options: the id itself for one that is not known. */
export function useFormatName(): (format: string) => string {
  const formatNames = useMessages().formatNames;
  return (format) => formatNames[format] ?? format;
}
