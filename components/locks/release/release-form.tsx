'use client';

import { useEffect, useState, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { useNow } from '@/components/hooks';
import { useSecondsText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Checkbox, Field, Input } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import type { LockDetail } from '@/lib/protocol/lock';
import { isReason } from '@/lib/protocol/reason';
import { looksAlive } from './looks-alive';
import { OldHolder } from './old-holder';
import { ReasonField } from './reason-field';
import { ReleaseFacts } from './release-facts';

interface Props {
  id: string;
  /** The lock as it was when the dialog was opened. */
  seen: LockDetail;
  /** The lock as it is now. */
  current: LockDetail;
  pending: boolean;
  reasonRef: RefObject<HTMLTextAreaElement | null>;
  onLookAgain: () => void;
  onValid: (isValid: boolean) => void;
  onSubmit: (input: { reason: string; businessId: string | undefined }) => void;
}

export function ReleaseForm(props: Props) {
  const { id, seen, current, pending, reasonRef, onLookAgain, onValid, onSubmit } = props;
  const t = useTranslations('release');
  const [reason, setReason] = useState('');
  const [businessId, setBusinessId] = useState('');
  const [isConfirmed, setIsConfirmed] = useState(false);
  // Our own release makes the hold end before its answer is here; that is no change to warn of.
  const hasChanged = !pending && current.hold?.version !== seen.hold?.version;
  const isAlive = useLooksAlive(hasChanged ? seen : current);
  const isValid = !hasChanged && isReason(reason) && (isAlive === null || isConfirmed);
  useEffect(() => onValid(isValid), [onValid, isValid]);
  return (
    <form
      id={id}
      className="flex flex-col gap-3.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && !pending) {
          onSubmit({ reason: reason.trim(), businessId: businessId.trim() || undefined });
        }
      }}
    >
      {hasChanged && <Changed seen={seen} current={current} onLookAgain={onLookAgain} />}
      <ReleaseFacts lock={seen} />
      <OldHolder library={seen.library} />
      <Notice tone="warning" title={t('keepsWorkingTitle')}>
        <p>{t('keepsWorking')}</p>
        {isAlive !== null && (
          <>
            <p className="mt-1.5 font-medium text-ink">{t('aliveTitle', { ago: isAlive })}</p>
            <Checkbox
              label={t('aliveConfirm')}
              checked={isConfirmed}
              onChange={(event) => setIsConfirmed(event.target.checked)}
              className="mt-1 text-ink"
            />
          </>
        )}
      </Notice>
      <ReasonField value={reason} onChange={setReason} inputRef={reasonRef} />
      <Field label={t('businessId')}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={200}
            placeholder={t('businessIdHint')}
            autoComplete="off"
            value={businessId}
            onChange={(event) => setBusinessId(event.target.value)}
          />
        )}
      </Field>
    </form>
  );
}

/** "3 s ago" while the holder looks alive, else null. */
function useLooksAlive({ hold }: LockDetail): string | null {
  const now = useNow();
  const t = useTranslations('time');
  const seconds = useSecondsText();
  if (!hold || hold.lastRenewalAt === null || now === 0 || !looksAlive(hold, now)) return null;
  return t('ago', { duration: seconds(now - hold.lastRenewalAt) });
}

function Changed({ seen, current, onLookAgain }: Pick<Props, 'seen' | 'current' | 'onLookAgain'>) {
  const t = useTranslations('release');
  const owner = current.hold?.owner.id;
  const isSameOwner = owner !== undefined && owner === seen.hold?.owner.id;
  return (
    <Notice
      tone="critical"
      role="alert"
      title={t(isSameOwner ? 'changedHoldTitle' : 'changedTitle')}
      actions={current.hold && <Button onClick={onLookAgain}>{t('lookAgain')}</Button>}
    >
      {owner === undefined
        ? t('gone')
        : t(isSameOwner ? 'changedHold' : 'changed', { owner: owner.slice(0, 200) })}
    </Notice>
  );
}
