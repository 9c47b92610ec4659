'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Role } from '@/lib/protocol/actions';
import { CreateUserInput, type UserView } from '@/lib/protocol/session';
import { Button } from '@/components/ui/button';
import { Field, Input, Select } from '@/components/ui/field';
import { createUser, type Answered } from './account-requests';
import { Outcome } from './password-form';

interface Props {
  onAdded: (users: UserView[], email: string) => void;
  onCancel: () => void;
}

const TEXTS = [
  { name: 'email', label: 'email', type: 'email' },
  { name: 'name', label: 'name', type: 'text' },
  { name: 'password', label: 'firstPassword', type: 'password' },
] as const;

export function UserForm({ onAdded, onCancel }: Props) {
  const t = useTranslations('settings');
  const ui = useTranslations('ui');
  const labels = useTranslations('labels');
  const [fields, setFields] = useState({ email: '', name: '', password: '', role: 'viewer' });
  const [pending, setPending] = useState(false);
  const [outcome, setOutcome] = useState<Answered<UserView[]> | null>(null);
  const input = CreateUserInput.safeParse(fields);
  const submit = async () => {
    if (!input.success) return;
    setPending(true);
    const answer = await createUser(input.data);
    setPending(false);
    setOutcome(answer);
    if (answer.ok) onAdded(answer.value, input.data.email);
  };
  return (
    <form
      aria-label={t('add')}
      className="grid max-w-2xl gap-3 sm:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!pending) void submit();
      }}
    >
      {TEXTS.map(({ name, label, type }) => (
        <Field key={name} label={t(label)} hint={name === 'password' ? t('newHint') : undefined}>
          {(ids) => (
            <Input
              {...ids}
              type={type}
              autoComplete="off"
              value={fields[name]}
              onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={t('role')}>
        {(ids) => (
          <Select
            {...ids}
            className="h-8!"
            value={fields.role}
            onChange={(event) => setFields({ ...fields, role: event.target.value })}
          >
            {Role.options.map((role) => (
              <option key={role} value={role}>
                {labels(`roles.${role}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {outcome && !outcome.ok && (
        <div className="sm:col-span-2">
          <Outcome outcome={outcome} done="" />
        </div>
      )}
      <div className="flex gap-2 sm:col-span-2">
        <Button type="submit" look="primary" disabled={!input.success} pending={pending}>
          {t('add')}
        </Button>
        <Button look="ghost" onClick={onCancel}>
          {ui('cancel')}
        </Button>
      </div>
    </form>
  );
}
