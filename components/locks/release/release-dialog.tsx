'use client';

import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction, useNow } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { focusWhenShown } from '@/components/ui/focus-when-shown';
import { isOutcomeUnknown } from '@/lib/live/unanswered';
import type { ReleaseResult } from '@/lib/protocol/actions';
import type { LockDetail } from '@/lib/protocol/lock';
import { ReleaseForm } from './release-form';
import { ReleaseFailure, ReleaseOutcome } from './release-outcome';
import { ReleaseUnknown, UnknownTitle } from './release-unknown';
import type { SentRelease } from './unknown-outcome';

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
  const [sent, setSent] = useState<SentRelease | null>(null);
  const [isValid, setIsValid] = useState(false);
  const now = useNow();
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  const { run, pending, error, reset } = useAction('lock.release');
  const lookAgain = () => {
    reset();
    setSeen(lock);
  };
  const submit = async (input: { reason: string; businessId: string | undefined }) => {
    if (!seen.hold) return;
    const { target, db, keyB64 } = seen;
    setSent({ db, keyB64, reason: input.reason, at: now });
    try {
      setResult(await run({ target, db, keyB64, version: seen.hold.version, ...input }));
    } catch {
      // `error` holds it and is shown below.
    }
  };
  const isOver = result !== null || error !== null;
  const lost = error && isOutcomeUnknown(error) ? sent : null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        result ? (
          t('done.title')
        ) : lost ? (
          <UnknownTitle sent={lost} lock={lock} />
        ) : error ? (
          t('failedTitle')
        ) : (
          t('title')
        )
      }
      closeLabel={ui('close')}
      initialFocus={reasonRef}
      footer={
        isOver ? (
          <>
            {error && lock.hold && <Button onClick={lookAgain}>{t('lookAgain')}</Button>}
            <Button key="close" look="primary" ref={focusWhenShown} onClick={onClose}>
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
      {lost && <ReleaseUnknown sent={lost} lock={lock} />}
      {error && !lost && <ReleaseFailure error={error} shown={seen.hold?.owner.id} />}
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
