'use client';

import { useTranslations } from 'use-intl';
import { CopyButton } from '@/components/ui/copy-button';
import { Panel } from '@/components/ui/panel';
import type { LockDetail } from '@/lib/protocol/lock';

/** The same by hand, for a terminal. */
export function CommandsPanel({ commands }: { commands: LockDetail['commands'] }) {
  const t = useTranslations('lock.commands');
  const ui = useTranslations('ui');
  if (commands.length === 0) return null;
  return (
    <Panel title={t('title')} description={t('unaudited')} flush>
      <ul className="divide-y divide-line">
        {commands.map(({ purpose, command }) => (
          <li key={`${purpose}:${command}`} className="px-3 py-2">
            <div className="flex items-center justify-between gap-2">
              <span className="text-xs text-ink-3">{t(purpose)}</span>
              <CopyButton
                text={command}
                label={t('copyCommand')}
                copiedLabel={ui('copied')}
                failedLabel={ui('copyFailed')}
              />
            </div>
            <code
              dir="ltr"
              className="mt-0.5 block max-h-32 overflow-y-auto font-mono text-xs break-all whitespace-pre-wrap"
            >
              {command}
            </code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
