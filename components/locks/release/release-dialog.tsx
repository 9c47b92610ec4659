'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { ReleaseResult } from '@/lib/protocol/actions';
import type { LockDetail } from '@/lib/protocol/lock';
import { ReleaseForm } from './release-form';
import { ReleaseFailure, ReleaseOutcome } from './release-outcome';

interface Props {
  /** As it is now. */
  lock: LockDetail;
  onClose: () => void;
}

const FORM_ID = 'release-form';

/**
 * Takes a lock from its holder. What is released is the hold that the dialog was opened on: should it
 * change meanwhile, the dialog says so, and the server refuses.
 */
export function ReleaseDialog({ lock, onClose }: Props) {
  const t = useTranslations('release');
  const ui = useTranslations('ui');
  const [seen, setSeen] = useState(lock);
  const [result, setResult] = useState<ReleaseResult | null>(null);
  const [isValid, setIsValid] = useState(false);
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  const { run, pending, error, reset } = useAction('lock.release');
  const lookAgain = () => {
    reset();
    setSeen(lock);
  };
  const submit = async (input: { reason: string; businessId: string | undefined }) => {
    if (!seen.hold) return;
    const { target, db, keyB64 } = seen;
    try {
      setResult(await run({ target, db, keyB64, version: seen.hold.version, ...input }));
    } catch {
      // `error` holds it and is shown below.
    }
  };
  const isOver = result !== null || error !== null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={result ? t('done.title') : error ? t('failedTitle') : t('title')}
      closeLabel={ui('close')}
      initialFocus={reasonRef}
      footer={
        isOver ? (
          <>
            {error && <Button onClick={lookAgain}>{t('lookAgain')}</Button>}
            <Button key="close" look="primary" onClick={onClose}>
              {ui('close')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{ui('cancel')}</Button>
            <Button
              type="submit"
              form={FORM_ID}
              look="danger"
              disabled={!isValid}
              pending={pending}
            >
              {pending ? t('pending') : t('confirm')}
            </Button>
          </>
        )
      }
    >
      {result && <ReleaseOutcome result={result} wakes={seen.library.wakes} />}
      {!result && error && <ReleaseFailure error={error} />}
      {!isOver && (
        <ReleaseForm
          key={seen.hold?.version}
          id={FORM_ID}
          seen={seen}
          current={lock}
          pending={pending}
          reasonRef={reasonRef}
          onLookAgain={lookAgain}
          onValid={setIsValid}
          onSubmit={(input) => void submit(input)}
        />
      )}
    </Dialog>
  );
}
