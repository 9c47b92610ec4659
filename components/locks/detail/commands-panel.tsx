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
            {/* A region that scrolls must be reachable by keyboard; half a line in sight tells that it does. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <section tabIndex={0} aria-label={t(purpose)} className="max-h-38 overflow-y-auto">
              <code dir="ltr" className="block font-mono text-xs wrap-anywhere whitespace-pre-wrap">
                {command}
              </code>
            </section>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
