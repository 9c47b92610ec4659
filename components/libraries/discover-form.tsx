'use client';

import { ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Field, Select } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { DISCOVERY_LIMITS } from '@/lib/protocol/closed-sets';
import type { Target } from '@/lib/protocol/target';
import { useMayOperate } from './use-may-operate';

const KEYS = [10_000, 50_000, 200_000, 1_000_000, 10_000_000];
const SECONDS = [5, 20, 60, 120];
const ALL = 'all';

interface Props {
  target: Target | undefined;
  isRunning: boolean;
  onBegun: (id: string) => void;
}

/** Asks within which budget to look, and begins. */
export function DiscoverForm({ target, isRunning, onBegun }: Props) {
  const t = useTranslations('discover');
  const libraries = useTranslations('libraries');
  const errors = useTranslations('errors');
  const format = useFormatter();
  const mayOperate = useMayOperate();
  const { run, pending, error } = useAction('format.discover');
  const [db, setDb] = useState(ALL);
  const [maxKeys, setMaxKeys] = useState<number>(DISCOVERY_LIMITS.maxKeys.usual);
  const [seconds, setSeconds] = useState<number>(DISCOVERY_LIMITS.seconds.usual);
  const isOff = !mayOperate || !target || isRunning;
  const begin = async () => {
    if (!target) return;
    const where = db === ALL ? {} : { db: Number(db) };
    try {
      const { id } = await run({ target: target.id, ...where, maxKeys, seconds });
      onBegun(id);
    } catch {
      // The action keeps the error, and it is shown below.
    }
  };
  return (
    <form
      aria-label={t('title')}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff && !pending) void begin();
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('db')}>
          {(ids) => (
            <Select {...ids} value={db} onChange={(event) => setDb(event.target.value)}>
              <option value={ALL}>{t('allDbs')}</option>
              {[...(target?.dbs ?? []), ...(target?.unwatchedDbs ?? [])].map((each) => (
                <option key={each} value={each}>
                  {t('oneDb', { db: each })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('maxKeys')}>
          {(ids) => (
            <Select
              {...ids}
              value={maxKeys}
              onChange={(event) => setMaxKeys(Number(event.target.value))}
            >
              {KEYS.map((each) => (
                <option key={each} value={each}>
                  {format.number(each)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t('seconds')}>
          {(ids) => (
            <Select
              {...ids}
              value={seconds}
              onChange={(event) => setSeconds(Number(event.target.value))}
            >
              {SECONDS.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button
          type="submit"
          look="primary"
          icon={<ScanSearch size={13} aria-hidden />}
          disabled={isOff}
          title={mayOperate ? undefined : libraries('needsRole')}
          pending={pending}
        >
          {t('start')}
        </Button>
      </div>
      {error && (
        <Notice tone="critical" role="alert" title={errors(error.code)}>
          <ErrorText error={error} />
        </Notice>
      )}
    </form>
  );
}
