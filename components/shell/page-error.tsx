'use client';

import { OctagonAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

interface Props {
  error: unknown;
  retry: () => void;
}

/** Stands in for a page that threw while drawing; the frame around it goes on working. */
export function PageError({ error, retry }: Props) {
  const t = useTranslations('shell.failed');
  return (
    <div role="alert">
      <EmptyState
        isPage
        icon={<OctagonAlert size={28} aria-hidden />}
        title={t('title')}
        actions={
          <Button look="primary" onClick={retry}>
            {t('retry')}
          </Button>
        }
      >
        {t('text', { message: error instanceof Error ? error.message : String(error) })}
      </EmptyState>
    </div>
  );
}
