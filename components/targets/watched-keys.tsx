'use client';

import { useTranslations } from 'use-intl';
import type { Target } from '@/lib/protocol/target';
import { Badge } from '@/components/ui/badge';
import { KeyValue } from '@/components/ui/key-value';

/** Which keys of which databases are watched, and which are not although there are some. */
export function WatchedKeys({ target }: { target: Target }) {
  const t = useTranslations('targets');
  return (
    <KeyValue
      items={[
        {
          label: t('dbs'),
          value: (
            <span className="flex flex-wrap items-center gap-1.5">
              {target.dbs.map((db) => (
                <Badge key={db} tone="ok">
                  {`db ${db}`}
                </Badge>
              ))}
              {target.unwatchedDbs.map((db) => (
                <Badge key={db} tone="warning" title={t('unwatchedDbs')}>
                  {`db ${db}`}
                </Badge>
              ))}
              {target.unwatchedDbs.length > 0 && (
                <span className="text-xs text-warning">
                  {target.unwatchedDbs.map((db) => `db ${db}`).join(', ')} {t('unwatchedDbs')}
                </span>
              )}
            </span>
          ),
        },
        {
          label: t('watch'),
          value: (
            <ul
              // What scrolls must be reachable by keyboard.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              aria-label={t('watch')}
              className="flex max-h-56 flex-wrap gap-x-4 overflow-y-auto"
            >
              {target.watch.map((pattern) => (
                <li key={pattern} className="font-mono text-xs break-all">
                  {pattern}
                </li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}
