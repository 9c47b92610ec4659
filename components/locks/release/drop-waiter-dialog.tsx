'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { ErrorText, KeyText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { focusWhenShown } from '@/components/ui/focus-when-shown';
import { KeyValue } from '@/components/ui/key-value';
import { Notice } from '@/components/ui/notice';
import type { DropWaiterResult } from '@/lib/protocol/actions';
import type { Lock, WaitingOwner } from '@/lib/protocol/lock';
import { isReason } from '@/lib/protocol/reason';
import { ReasonField } from './reason-field';

interface Props {
  lock: Lock;
  waiter: WaitingOwner;
  onClose: () => void;
}

const FORM_ID = 'drop-waiter-form';

/** Takes a dead waiter out of a fair queue, so that the ones behind it may go on. */
export function DropWaiterDialog({ lock, waiter, onClose }: Props) {
  const t = useTranslations('release');
  const ui = useTranslations('ui');
  const [reason, setReason] = useState('');
  const [result, setResult] = useState<DropWaiterResult | null>(null);
  const { run, pending, error } = useAction('lock.drop-waiter');
  const submit = async () => {
    const { target, db, keyB64 } = lock;
    try {
      setResult(await run({ target, db, keyB64, owner: waiter.id, reason: reason.trim() }));
    } catch {
      // `error` holds it and is shown below.
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('drop.title')}
      description={t('drop.description')}
      closeLabel={ui('close')}
      footer={
        <>
          {result ? (
            <Button key="close" look="primary" ref={focusWhenShown} onClick={onClose}>
              {ui('close')}
            </Button>
          ) : (
            <Button onClick={onClose}>{ui('cancel')}</Button>
          )}
          {!result && (
            <Button
              type="submit"
              form={FORM_ID}
              look="danger"
              disabled={!isReason(reason)}
              pending={pending}
            >
              {t('drop.confirm')}
            </Button>
          )}
        </>
      }
    >
      {result ? (
        <Notice tone="ok" polite>
          {result.wokeNext ? t('drop.doneWoke') : t('drop.done')}
        </Notice>
      ) : (
        <form
          id={FORM_ID}
          className="flex flex-col gap-3.5"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReason(reason)) void submit();
          }}
        >
          {error && (
            <Notice tone="critical" role="alert" title={t('drop.failedTitle')}>
              <ErrorText error={error} />
            </Notice>
          )}
          <KeyValue
            items={[
              { label: t('key'), value: <KeyText text={lock.key} /> },
              { label: t('drop.waiter'), value: <KeyText text={waiter.id} /> },
            ]}
          />
          {waiter.alive !== false && <Notice tone="warning">{t('drop.aliveWarning')}</Notice>}
          <ReasonField value={reason} onChange={setReason} />
        </form>
      )}
    </Dialog>
  );
}
