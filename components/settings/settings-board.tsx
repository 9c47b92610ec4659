'use client';

import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { KeyValue } from '@/components/ui/key-value';
import { PageBody } from '@/components/ui/page-body';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { AboutConsole } from './about-console';
import { HistoryKeptPanel } from './history-kept';
import { PasswordForm } from './password-form';
import { UserList, type LoadUsers } from './user-list';

/** One's own account, the users for administrators, where the API and metrics are, and what is kept. */
export function SettingsBoard({ loadUsers }: { loadUsers?: LoadUsers | undefined }) {
  const t = useTranslations('settings');
  const labels = useTranslations('labels');
  const session = useSession();
  return (
    <PageBody>
      <PageHeader title={t('title')} />
      <div className="grid min-w-0 items-start gap-3 lg:grid-cols-2">
        <Panel title={t('account')}>
          {session && (
            <KeyValue
              className="mb-4"
              items={[
                { label: t('signedInAs'), value: session.name },
                {
                  label: t('role'),
                  value: (
                    <>
                      {labels(`roles.${session.role}`)}{' '}
                      <span className="text-ink-3">{t(`roleMeanings.${session.role}`)}</span>
                    </>
                  ),
                },
              ]}
            />
          )}
          <PasswordForm />
        </Panel>
        <div className="flex min-w-0 flex-col gap-3">
          <Panel title={t('about')}>
            <AboutConsole />
          </Panel>
          <HistoryKeptPanel />
        </div>
      </div>
      {session?.role === 'admin' && (
        <Panel title={t('users')} description={t('usersHint')} flush>
          <UserList load={loadUsers} />
        </Panel>
      )}
    </PageBody>
  );
}
