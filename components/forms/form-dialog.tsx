'use client';

import { useId, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button, type ButtonLook } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { ErrorBody } from '@/lib/protocol/errors';
import { FormError, type OnConflict } from './form-error';

interface Props {
  title: ReactNode;
  description: string;
  width?: 'sm' | 'md' | 'lg';
  /** The words on the button that does it, and its look. */
  confirm: { text: string; look: ButtonLook };
  /** False while something is still to be filled in. */
  isValid: boolean;
  pending: boolean;
  error: ErrorBody['error'] | null;
  /** Rejects when it fails; `error` says why then. */
  onSubmit: () => Promise<unknown>;
  /** For what several people may change at once. */
  onConflict?: OnConflict;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form. Closes once it is done, and shows why it was not. */
export function FormDialog(props: Props) {
  const { title, description, confirm, isValid, pending, error, width, onClose } = props;
  const ui = useTranslations('ui');
  const form = useId();
  const submit = async (save: () => Promise<unknown>) => {
    try {
      await save();
      onClose();
    } catch {
      // The action keeps the error, and the dialog shows it.
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      {...(width && { width })}
      closeLabel={ui('close')}
      footer={
        <>
          <Button size="md" look="ghost" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button
            {...{ size: 'md', look: confirm.look, type: 'submit', form, pending }}
            disabled={!isValid}
          >
            {confirm.text}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex min-w-0 flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && !pending) void submit(props.onSubmit);
        }}
      >
        {props.children}
        {error && (
          <FormError
            {...{ error, pending }}
            onConflict={props.onConflict}
            run={(save) => isValid && void submit(save)}
          />
        )}
      </form>
    </Dialog>
  );
}
