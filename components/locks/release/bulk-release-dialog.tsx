'use client';

import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { focusWhenShown } from '@/components/ui/focus-when-shown';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ReleaseManyResult, ReleasePreview } from '@/lib/protocol/actions';
import type { ErrorBody } from '@/lib/protocol/errors';
import type { LockFilter } from '@/lib/protocol/queries';
import { BulkPreview } from './bulk-preview';
import { BulkResults } from './bulk-results';
import { isReason } from '@/lib/protocol/reason';

interface Props {
  filter: LockFilter;
  onClose: () => void;
}

const FORM_ID = 'bulk-release-form';

/** Lists what would be released, asks for one reason, then tells the outcome of each. */
export function BulkReleaseDialog({ filter, onClose }: Props) {
  const t = useTranslations('locks.bulk');
  const ui = useTranslations('ui');
  const { preview, error: previewError } = usePreview(filter);
  const [reason, setReason] = useState('');
  const [outcome, setOutcome] = useState<ReleaseManyResult | null>(null);
  const { run, pending, error } = useAction('lock.release-many');
  const items = preview?.items ?? [];
  const submit = async () => {
    const named = items.flatMap(({ target, db, keyB64, hold }) =>
      hold ? [{ target, db, keyB64, version: hold.version }] : [],
    );
    try {
      setOutcome(await run({ items: named, reason: reason.trim() }));
    } catch {
      // `error` holds it and is shown below.
    }
  };
  return (
    <Dialog
      open
      width="lg"
      onOpenChange={(open) => !open && onClose()}
      title={t('title', { count: items.length })}
      description={outcome ? undefined : t('description')}
      closeLabel={ui('close')}
      footer={
        outcome ? (
          <Button key="close" look="primary" ref={focusWhenShown} onClick={onClose}>
            {ui('close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{ui('cancel')}</Button>
            <Button
              type="submit"
              form={FORM_ID}
              look="danger"
              disabled={items.length === 0 || !isReason(reason)}
              pending={pending}
            >
              {t('confirm', { count: items.length })}
            </Button>
          </>
        )
      }
    >
      <Problem error={previewError ?? error} />
      {outcome && preview && <BulkResults outcome={outcome} items={preview.items} />}
      {!outcome && preview && (
        <BulkPreview
          formId={FORM_ID}
          preview={preview}
          reason={reason}
          onReason={setReason}
          onSubmit={() => void submit()}
        />
      )}
      {!preview && !previewError && <SkeletonRows rows={5} label={t('loading')} />}
    </Dialog>
  );
}

/** What the filter selects at the moment the dialog opens; it does not move while it is read. */
function usePreview(filter: LockFilter) {
  const { run, error } = useAction('lock.release-preview');
  const [preview, setPreview] = useState<ReleasePreview | null>(null);
  useEffect(() => {
    let wanted = true;
    run({ filter }).then(
      (answer) => wanted && setPreview(answer),
      // `error` holds it and is shown by the dialog.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [run, filter]);
  return { preview, error };
}

function Problem({ error }: { error: ErrorBody['error'] | null }) {
  const t = useTranslations('errors');
  if (!error) return null;
  return (
    <Notice tone="critical" role="alert" title={t(error.code)} className="mb-3">
      <ErrorText error={error} />
    </Notice>
  );
}
