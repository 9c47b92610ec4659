'use client';

import { useId, useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorText } from '@/components/labels';
import { Button, type ButtonLook } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { focusWhenShown } from '@/components/ui/focus-when-shown';
import { KeyValue, type KeyValueItem } from '@/components/ui/key-value';
import { Notice } from '@/components/ui/notice';
import type { ErrorBody } from '@/lib/protocol/errors';
import { isReason } from '@/lib/protocol/reason';
import { ReasonField } from './reason-field';

export interface RepairWords {
  title: string;
  description: string;
  confirm: string;
  failedTitle: string;
  /** Once it is done. */
  doneTitle: string;
}

interface Props {
  words: RepairWords;
  /** What it is done to. */
  facts: KeyValueItem[];
  /** What should make one think again. */
  warnings: string[];
  /** Of the button that does it; `danger` where it takes something away. */
  look?: ButtonLook;
  pending: boolean;
  error: ErrorBody['error'] | null;
  /** What came of it; null while nothing has. */
  done: string | null;
  /** Is given the reason; failures arrive as `error`. */
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** For a promise whose failure is in the action's `error`, which the dialog shows. */
export const keptAsError = (): void => undefined;

/** Asks for the reason of something done to a lock short of releasing it, then tells what came of it. */
export function RepairDialog(props: Props) {
  const { words, look = 'danger', pending, done, onConfirm, onClose } = props;
  const ui = useTranslations('ui');
  const formId = useId();
  const [reason, setReason] = useState('');
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={done === null ? words.title : words.doneTitle}
      description={words.description}
      closeLabel={ui('close')}
      initialFocus={reasonRef}
      footer={
        done === null ? (
          <>
            <Button onClick={onClose}>{ui('cancel')}</Button>
            <Button
              type="submit"
              form={formId}
              look={look}
              disabled={!isReason(reason)}
              pending={pending}
            >
              {words.confirm}
            </Button>
          </>
        ) : (
          <Button key="close" look="primary" ref={focusWhenShown} onClick={onClose}>
            {ui('close')}
          </Button>
        )
      }
    >
      {done === null ? (
        <form
          id={formId}
          className="flex flex-col gap-3.5"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReason(reason) && !pending) onConfirm(reason.trim());
          }}
        >
          <Facts {...props} />
          <ReasonField value={reason} onChange={setReason} inputRef={reasonRef} />
        </form>
      ) : (
        <Notice tone="ok" polite>
          {done}
        </Notice>
      )}
    </Dialog>
  );
}

function Facts({ words, facts, warnings, error }: Props): ReactNode {
  return (
    <>
      {error && (
        <Notice tone="critical" role="alert" title={words.failedTitle}>
          <ErrorText error={error} />
        </Notice>
      )}
      <KeyValue items={facts} />
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
    </>
  );
}
