'use client';

import { Check, Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useNow, useUrlParams } from '@/components/hooks';
import { alertHref } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import type { Alert } from '@/lib/protocol/alert';

const SHOWN_MS = 2500;

/** A link for whoever takes over: it carries this moment, so that what came after it stands out, and the view. */
export function HandOver({ alert }: { alert: Alert }) {
  const t = useTranslations('incident');
  const now = useNow();
  const { get } = useUrlParams();
  const [isCopied, setIsCopied] = useState(false);
  const [toSelect, setToSelect] = useState<string | null>(null);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    const link = handOverLink({ id: alert.id, at: now, events: get('events') });
    try {
      await navigator.clipboard.writeText(link);
      setIsCopied(true);
      setToSelect(null);
    } catch {
      // No permission, or no secure context: the link is shown to be selected.
      setToSelect(link);
    }
  };
  return (
    <>
      <Button
        icon={isCopied ? <Check size={13} aria-hidden /> : <Link2 size={13} aria-hidden />}
        title={t('handOverTitle')}
        disabled={now === 0}
        onClick={() => void copy()}
      >
        {t(isCopied ? 'handOverCopied' : 'handOver')}
      </Button>
      <output className="sr-only">{isCopied && t('handOverCopied')}</output>
      {toSelect !== null && (
        <Field label={t('handOverSelect')} className="basis-full">
          {(ids) => (
            <Input
              {...ids}
              readOnly
              value={toSelect}
              className="font-mono"
              ref={(input) => input?.select()}
            />
          )}
        </Field>
      )}
    </>
  );
}

function handOverLink({ id, at, events }: { id: string; at: number; events: string | null }) {
  const view = events === null ? '' : `&events=${encodeURIComponent(events)}`;
  return `${window.location.origin}${alertHref({ id }, at)}${view}`;
}
