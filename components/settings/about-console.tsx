'use client';

import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { KeyValue } from '@/components/ui/key-value';

const LINK = 'font-mono text-xs text-accent-ink hover:underline';

export function AboutConsole() {
  const t = useTranslations('settings');
  const session = useSession();
  return (
    <KeyValue
      items={[
        { label: t('version'), value: session?.version ?? t('unknownVersion') },
        {
          label: t('api'),
          value: (
            <a href="/api/v1/openapi.json" className={LINK}>
              /api/v1/openapi.json
            </a>
          ),
        },
        {
          label: t('metrics'),
          value: (
            <a href="/metrics" className={LINK}>
              /metrics
            </a>
          ),
        },
      ]}
    />
  );
}
