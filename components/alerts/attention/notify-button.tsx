'use client';

import { BellPlus, BellRing } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useAttention } from './attention-provider';

// Seldom needed: loaded when it is first opened.
const NotifyDialog = dynamic(
  () => import('./notify-dialog').then((module) => module.NotifyDialog),
  { ssr: false },
);

/** Leads to how this browser calls for somebody, and says whether it does. */
export function NotifyButton() {
  const t = useTranslations('alerts.attention');
  const { setting } = useAttention();
  const [isOpen, setIsOpen] = useState(false);
  const isOn = setting.notify || setting.sound;
  const Icon = isOn ? BellRing : BellPlus;
  return (
    <>
      <Button icon={<Icon size={13} aria-hidden />} onClick={() => setIsOpen(true)}>
        {t(isOn ? 'buttonOn' : 'button')}
      </Button>
      {isOpen && <NotifyDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
