'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { NAV_ITEMS } from './nav-items';

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell');
  const ui = useTranslations('ui');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('shortcuts.title')}
      closeLabel={ui('close')}
      width="sm"
    >
      <Group title={t('shortcuts.anywhere')}>
        <Shortcut keys={['/']} label={t('shortcuts.search')} />
        {NAV_ITEMS.map((item) => (
          <Shortcut
            key={item.page}
            keys={['g', item.key]}
            label={t('shortcuts.goTo', { page: t(`pages.${item.page}`) })}
          />
        ))}
        <Shortcut keys={['?']} label={t('shortcuts.help')} />
        <Shortcut keys={['Esc']} label={t('shortcuts.close')} />
        <Shortcut keys={['Esc']} label={t('shortcuts.toNow')} />
      </Group>
      <Group title={t('shortcuts.inList')}>
        <Shortcut keys={['j']} label={t('shortcuts.next')} />
        <Shortcut keys={['k']} label={t('shortcuts.previous')} />
        <Shortcut keys={['Enter']} label={t('shortcuts.open')} />
      </Group>
      <Group title={t('shortcuts.inAlerts')}>
        <Shortcut keys={['j']} label={t('shortcuts.next')} />
        <Shortcut keys={['k']} label={t('shortcuts.previous')} />
        <Shortcut keys={['Enter']} label={t('shortcuts.openAlert')} />
        <Shortcut keys={['e']} label={t('shortcuts.unfold')} />
        <Shortcut keys={['x']} label={t('shortcuts.choose')} />
        <Shortcut keys={['Shift+x']} label={t('shortcuts.reach')} />
        <Shortcut keys={['a']} label={t('shortcuts.acknowledge')} />
        <Shortcut keys={['s']} label={t('shortcuts.silence')} />
        <Shortcut keys={['Esc']} label={t('shortcuts.chooseNone')} />
      </Group>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="not-first:mt-4">
      <h3 className="mb-1.5 text-xs font-medium text-ink-3">{title}</h3>
      <dl className="flex flex-col gap-1.5">{children}</dl>
    </section>
  );
}

function Shortcut({ keys, label }: { keys: string[]; label: string }) {
  const t = useTranslations('shell.shortcuts');
  return (
    <div className="flex items-center justify-between gap-4 text-sm">
      <dt>{label}</dt>
      <dd className="flex items-center gap-1">
        {keys.map((key, index) => (
          <span key={key} className="flex items-center gap-1">
            {index > 0 && <span className="text-2xs text-ink-3">{t('followedBy')}</span>}
            <Kbd>{key}</Kbd>
          </span>
        ))}
      </dd>
    </div>
  );
}
