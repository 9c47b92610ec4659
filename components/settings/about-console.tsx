'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { KeyValue } from '@/components/ui/key-value';
import { readSession } from './account-requests';

const LINK = 'font-mono text-xs text-accent-ink hover:underline';

export function AboutConsole() {
  const t = useTranslations('settings');
  const [version, setVersion] = useState<string | null>(null);
  useEffect(() => {
    void readSession().then((answer) => answer.ok && setVersion(answer.value.version));
  }, []);
  return (
    <KeyValue
      items={[
        { label: t('version'), value: version ?? t('unknownVersion') },
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
