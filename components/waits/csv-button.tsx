'use client';

import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { downloadCsv } from '@/components/ui/download';
import { IconButton } from '@/components/ui/icon-button';

interface Props {
  /** What is downloaded, in the reader's words. */
  what: string;
  /** Without its ending. */
  file: string;
  text: () => string;
}

export function CsvButton({ what, file, text }: Props) {
  const t = useTranslations('waits');
  return (
    <IconButton
      label={t('exportCsv', { what })}
      icon={<Download size={14} aria-hidden />}
      onClick={() => downloadCsv(`${file}.csv`, text())}
    />
  );
}
