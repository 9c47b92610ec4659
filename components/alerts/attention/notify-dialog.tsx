'use client';

import { useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useAttention } from './attention-provider';
import { mayNotify, onPermission } from './permission';
import { playTone } from './tone';

/** How this browser calls: what it may, what is wanted, and a try of each. */
export function NotifyDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('alerts.attention');
  const ui = useTranslations('ui');
  const { isKept } = useAttention();
  return (
    <Dialog
      open
      width="md"
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      description={t('text')}
      closeLabel={ui('close')}
    >
      <div className="flex flex-col gap-5">
        <NotifySection />
        <SoundSection />
        <p className="text-sm text-ink-2">{t('always')}</p>
        {!isKept && <Notice tone="warning">{t('notKept')}</Notice>}
      </div>
    </Dialog>
  );
}

function NotifySection() {
  const t = useTranslations('alerts.attention');
  const { setting, change } = useAttention();
  const may = useSyncExternalStore(onPermission, mayNotify, () => 'default' as const);
  const [hasFailed, setHasFailed] = useState(false);
  const want = async (isWanted: boolean): Promise<void> => {
    if (!isWanted) return change({ notify: false });
    const answer = may === 'default' ? await Notification.requestPermission() : may;
    change({ notify: answer === 'granted' });
  };
  const test = (): void => {
    try {
      const shown = new Notification(t('testTitle'), { body: t('testText'), icon: '/icon.svg' });
      shown.addEventListener('click', () => window.focus());
      setHasFailed(false);
    } catch {
      // Some phones let only installed pages notify.
      setHasFailed(true);
    }
  };
  const isRefused = may === 'denied' || may === 'unsupported' || may === 'insecure';
  return (
    <section className="flex flex-col items-start gap-2">
      <Checkbox
        label={t('notify')}
        checked={setting.notify && may === 'granted'}
        disabled={isRefused}
        onChange={({ target }) => void want(target.checked)}
      />
      <p className="text-xs text-ink-3">{t('notifyHint')}</p>
      {may === 'default' && <p className="text-xs text-ink-3">{t('willAsk')}</p>}
      {isRefused && <Notice tone="warning">{t(`refused.${may}`)}</Notice>}
      {may === 'granted' && <Button onClick={test}>{t('test')}</Button>}
      {hasFailed && (
        <Notice tone="warning" polite>
          {t('testFailed')}
        </Notice>
      )}
    </section>
  );
}

function SoundSection() {
  const t = useTranslations('alerts.attention');
  const { setting, change } = useAttention();
  const [isSilent, setIsSilent] = useState(false);
  const play = async (): Promise<void> => setIsSilent(!(await playTone()));
  return (
    <section className="flex flex-col items-start gap-2">
      <Checkbox
        label={t('sound')}
        checked={setting.sound}
        onChange={({ target }) => change({ sound: target.checked })}
      />
      <p className="text-xs text-ink-3">{t('soundHint')}</p>
      <Button onClick={() => void play()}>{t('play')}</Button>
      {isSilent && (
        <Notice tone="warning" polite>
          {t('silent')}
        </Notice>
      )}
    </section>
  );
}
