'use client';

import { useMessages, useTranslations } from 'use-intl';
import { en } from '@/lib/messages/en';
import { formatName } from '@/lib/messages/format-text';

interface Props {
  format: string;
  /** False adds a "?": another library could have written the same. */
  certain?: boolean;
}

export function FormatLabel({ format, certain = true }: Props) {
  const t = useTranslations('labels');
  const name = useFormatName()(format);
  if (certain) return <span className="truncate">{name}</span>;
  return (
    <span className="truncate" title={t('formatLikely')}>
      {name}
      <span className="text-ink-3">&thinsp;?</span>
      <span className="sr-only"> {t('formatLikely')}</span>
    </span>
  );
}

/** Names of formats for places that take text only, such as options. */
export function useFormatName(): (format: string) => string {
  const formats = useMessages().formats ?? en.formats;
  return (format) => formatName(formats, format);
}
