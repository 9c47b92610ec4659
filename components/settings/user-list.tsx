'use client';

import { UserPlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Role } from '@/lib/protocol/actions';
import type { UserView } from '@/lib/protocol/session';
import { Button } from '@/components/ui/button';
import { DataTable, type Column } from '@/components/ui/data-table';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { listUsers, type Answered } from './account-requests';
import { Outcome } from './password-form';
import { UserForm } from './user-form';

export type LoadUsers = typeof listUsers;

/** For administrators: who may sign in, and one more. `load` answers in place of the console. */
export function UserList({ load = listUsers }: { load?: LoadUsers | undefined }) {
  const t = useTranslations('settings');
  const ui = useTranslations('ui');
  const labels = useTranslations('labels');
  const [users, setUsers] = useState<Answered<UserView[]> | null>(null);
  const [adding, setAdding] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  useEffect(() => {
    void load().then(setUsers);
  }, [load]);
  if (!users) return <SkeletonRows rows={3} label={ui('loading')} />;
  if (!users.ok) {
    return (
      <div className="p-3">
        <Outcome outcome={users} done="" />
      </div>
    );
  }
  const roleName = (role: string) => {
    const known = Role.safeParse(role);
    return known.success ? labels(`roles.${known.data}`) : role;
  };
  const columns: Column<UserView>[] = [
    { id: 'name', header: t('name'), cell: (user) => user.name },
    { id: 'email', header: t('email'), cell: (user) => user.email },
    { id: 'role', header: t('role'), cell: (user) => roleName(user.role) },
  ];
  return (
    <>
      <DataTable
        caption={t('users')}
        columns={columns}
        rows={users.value}
        rowKey={(user) => user.id}
        empty={<p className="p-3 text-sm text-ink-2">{t('noUsers')}</p>}
      />
      <div className="flex flex-col gap-3 border-t border-line p-3">
        {added !== null && (
          <Notice tone="ok" role="alert">
            {t('added', { email: added })}
          </Notice>
        )}
        {adding ? (
          <UserForm
            onCancel={() => setAdding(false)}
            onAdded={(next, email) => {
              setUsers({ ok: true, value: next });
              setAdded(email);
              setAdding(false);
            }}
          />
        ) : (
          <div>
            <Button icon={<UserPlus size={13} aria-hidden />} onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
