'use client';

import { useTranslations } from 'use-intl';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { ErrorBody } from '@/lib/protocol/errors';

/** What to do where somebody else changed meanwhile what the form is about. */
export interface OnConflict {
  showTheirs: () => void;
  /** Whether what the other one set has come to this page; left out = it need not have. */
  hasTheirs?: boolean;
  /** Saves what the form says over what is there now, which has that version; null = nothing is there. */
  saveMine: (version: number | null) => Promise<unknown>;
  /** What `saveMine` does is no saving. */
  isRemoval?: boolean;
}

interface Props {
  error: ErrorBody['error'];
  onConflict?: OnConflict | undefined;
  pending: boolean;
  /** Runs what saves, as the form's own button does. */
  run: (save: () => Promise<unknown>) => void;
}

/** The version that is there now, where that is why it was refused; else undefined. */
function versionThere({ code, details }: ErrorBody['error']): number | null | undefined {
  if (code !== 'CONFLICT') return undefined;
  const version = details?.['version'];
  return typeof version === 'number' || version === null ? version : undefined;
}

/** Why it was not saved, and the ways on where somebody else was faster. */
export function FormError({ error, onConflict, pending, run }: Props) {
  const errors = useTranslations('errors');
  const ui = useTranslations('ui');
  const version = versionThere(error);
  // What somebody else has removed cannot be removed again.
  const isDone = onConflict?.isRemoval === true && version === null;
  return (
    <Notice tone="critical" role="alert" title={errors(error.code)}>
      <ErrorText error={error} />
      {onConflict && version !== undefined && (
        <span className="mt-2 flex flex-wrap gap-2">
          <Button
            disabled={pending}
            pending={onConflict.hasTheirs === false}
            onClick={onConflict.showTheirs}
          >
            {ui('showTheirs')}
          </Button>
          {!isDone && (
            <Button
              look="danger"
              pending={pending}
              onClick={() => run(() => onConflict.saveMine(version))}
            >
              {ui(onConflict.isRemoval ? 'allTheSame' : 'mineOverIt')}
            </Button>
          )}
        </span>
      )}
    </Notice>
  );
}
