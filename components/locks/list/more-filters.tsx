'use client';

import { useId, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useLive } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { FormatSelect, StateSelect } from './filter-selects';
import type { Lock } from '@/lib/protocol/lock';
import { holderNames } from './holder-names';
import { listSearch, withField, type ListState } from './list-url';

const FIELDS = ['class', 'owner', 'namespace', 'db'] as const;

interface Props {
  state: ListState;
  show: (next: ListState) => void;
  /** Locks in sight: what holds them is offered while typing. */
  rows: readonly Lock[];
}

/** The exact conditions; classes, namespaces and holders that exist are offered while typing. */
export function MoreFilters({ state, show, rows }: Props) {
  const t = useTranslations('locks.filters');
  const listId = useId();
  const { data } = useLive('classes', {});
  const offers: Record<string, string[]> = {
    class: data?.items.map((each) => each.class) ?? [],
    owner: holderNames(rows),
    namespace: [...new Set(data?.items.map((each) => each.namespace) ?? [])],
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (field: string) => String(form.get(field) ?? '').trim() || undefined;
    let next = state;
    for (const field of ['class', 'owner', 'namespace'] as const) {
      next = withField(next, field, text(field));
    }
    const db = text('db');
    show(withField(next, 'db', db === undefined ? undefined : Number.parseInt(db, 10)));
  };
  return (
    <form
      // A state from elsewhere (a chip, the back button) fills the fields anew.
      key={listSearch(state)}
      onSubmit={submit}
      className="grid grid-cols-2 items-end gap-2 rounded-md border border-line bg-sunken p-2.5 md:grid-cols-[repeat(3,minmax(0,1fr))_6rem_auto]"
    >
      <StateSelect state={state} show={show} className="w-full! md:hidden" />
      <FormatSelect state={state} show={show} className="w-full! md:hidden" />
      {FIELDS.map((field) => (
        <Field key={field} label={t(field)}>
          {(ids) => (
            <>
              <Input
                {...ids}
                name={field}
                type={field === 'db' ? 'number' : 'text'}
                min={field === 'db' ? 0 : undefined}
                list={offers[field] ? `${listId}-${field}` : undefined}
                defaultValue={state.filter[field] ?? ''}
                className={field === 'db' ? 'h-7!' : 'h-7! font-mono'}
              />
              {offers[field] && (
                <datalist id={`${listId}-${field}`}>
                  {offers[field].map((offer) => (
                    <option key={offer}>{offer}</option>
                  ))}
                </datalist>
              )}
            </>
          )}
        </Field>
      ))}
      <Button type="submit">{t('apply')}</Button>
    </form>
  );
}
