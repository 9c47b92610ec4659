'use client';

import { Square } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';

/** Ends a trace that runs. That it ended arrives as live data. */
export function StopButton({ id }: { id: string }) {
  const t = useTranslations('traces');
  const action = useAction('trace.stop');
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button
        look="danger"
        icon={<Square size={11} aria-hidden />}
        pending={action.pending}
        // What went wrong is kept by the action and shown beside.
        onClick={() => void action.run({ id }).catch(() => undefined)}
      >
        {t('stop')}
      </Button>
      {action.error && (
        <span role="alert" className="text-xs text-critical">
          <ErrorText error={action.error} />
        </span>
      )}
    </span>
  );
}
