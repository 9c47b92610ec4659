'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction, useSession } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { isReason } from '@/lib/protocol/reason';

/** Says that an order is meant, or takes it back; nothing for who may only look. */
export function Intend({ deadlock }: { deadlock: Deadlock }) {
  const t = useTranslations('deadlocks');
  const role = useSession()?.role;
  const [isOpen, setIsOpen] = useState(false);
  if (role !== 'operator' && role !== 'admin') return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        {t(deadlock.intended ? 'unintend' : 'intend')}
      </Button>
      {isOpen && <IntendDialog deadlock={deadlock} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function IntendDialog({ deadlock, onClose }: { deadlock: Deadlock; onClose: () => void }) {
  const t = useTranslations('deadlocks');
  // What it was when the dialog opened: it may change below it.
  const [which] = useState(deadlock.intended ? ('unintend' as const) : ('intend' as const));
  const [version] = useState(deadlock.intended?.at ?? null);
  const { run, pending, error } = useAction(`order.${which}`);
  const [reason, setReason] = useState('');
  const save = (over: number | null) =>
    run({ id: deadlock.id, version: over, reason: reason.trim() });
  return (
    <FormDialog
      title={t(`${which}Title`)}
      description={t(`${which}Text`)}
      confirm={{ text: t(`${which}Confirm`), look: 'primary' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => save(version)}
      onConflict={{ showTheirs: onClose, saveMine: save, isRemoval: which === 'unintend' }}
      onClose={onClose}
    >
      <ReasonArea label={t('reason')} hint={t('reasonHint')} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
