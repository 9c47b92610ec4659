'use client';

import { CircleCheck, CircleHelp } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { ConfigCheck, ConfigurationPage } from '@/lib/protocol/advice';
import { ClockTime, SeverityBadge, useSaid } from '@/components/labels';
import { useLive } from '@/components/hooks';
import { LiveData } from '@/components/live/live-data';
import { Badge } from '@/components/ui/badge';
import { PageLink } from '@/components/ui/page-link';
import { adviceTabHref } from './advice-view';
import { CopyableCode } from './copyable-code';

/** What is wrong with how things are set, what cannot be seen, and what is fine. */
export function ConfigurationAdvice() {
  const answer = useLive('configuration', {});
  return (
    <LiveData snapshot={answer} ofRedis>
      {(page) => <Checks page={page} />}
    </LiveData>
  );
}

const count = ({ checks }: ConfigurationPage, wanted: ConfigCheck['state']): number =>
  checks.filter(({ state }) => state === wanted).length;

/** All of an answer. */
export function Checks({ page }: { page: ConfigurationPage }) {
  const t = useTranslations('advice.configuration');
  const [wrong, unknown, ok] = [count(page, 'wrong'), count(page, 'unknown'), count(page, 'ok')];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-sm text-ink-2">
        {t('summary', { wrong, unknown, ok })}{' '}
        {t.rich('checked', { at: () => <ClockTime at={page.at} /> })}
      </p>
      <ul className="flex min-w-0 flex-col gap-2">
        {page.checks.map((check) => (
          <li key={check.id}>
            <Check check={check} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function StateMark({ check: { state, severity } }: { check: ConfigCheck }) {
  const t = useTranslations('advice.configuration');
  if (state === 'wrong' && severity !== null) return <SeverityBadge severity={severity} />;
  const isOk = state === 'ok';
  const Icon = isOk ? CircleCheck : CircleHelp;
  return (
    <Badge tone={isOk ? 'ok' : 'neutral'} icon={<Icon size={12} aria-hidden />}>
      {t(`states.${state}`)}
    </Badge>
  );
}

function Check({ check }: { check: ConfigCheck }) {
  const t = useTranslations('advice.configuration');
  const said = useSaid();
  const { id, state, evidence, command } = check;
  const name = t(`checks.${id}`);
  return (
    <section
      aria-label={`${name}: ${t(`states.${state}`)}`}
      className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <StateMark check={check} />
        <h2 className="text-sm font-semibold">{name}</h2>
        <Deep id={id} />
      </header>
      <div className="mt-1 grid min-w-0 gap-x-6 lg:grid-cols-2">
        <div className="min-w-0 text-sm text-ink-2">
          <p className="max-w-prose break-words">{said(check.sentences, check.reason)}</p>
          {evidence.length > 0 && <Evidence evidence={evidence} />}
        </div>
        {command !== null && (
          <CopyableCode
            label={t(state === 'wrong' ? 'fix' : 'ask')}
            copy={t('copy')}
            text={command}
          />
        )}
      </div>
    </section>
  );
}

function Evidence({ evidence }: { evidence: ConfigCheck['evidence'] }) {
  const t = useTranslations('advice.configuration');
  return (
    <dl className="mt-1 flex flex-wrap gap-x-3 text-xs text-ink-3">
      <dt className="sr-only">{t('evidence')}</dt>
      {evidence.map(({ name, value }) => (
        <dd key={`${name}\n${value}`} className="min-w-0">
          <code className="break-all">
            {name} = {value}
          </code>
        </dd>
      ))}
    </dl>
  );
}

const LINKS: Partial<
  Record<
    ConfigCheck['id'],
    { to: 'locks' | 'alerts' | 'targets' | 'libraries' | 'timeouts'; href: string }
  >
> = {
  'one-db': { to: 'locks', href: '/locks' },
  'empty-keys': { to: 'alerts', href: '/alerts?code=empty-key' },
  'retry-delay': { to: 'timeouts', href: adviceTabHref('timeouts') },
  eviction: { to: 'alerts', href: '/alerts?code=eviction-risk' },
  notifications: { to: 'targets', href: '/targets' },
  'output-buffer': { to: 'targets', href: '/targets' },
  'owner-check': { to: 'libraries', href: '/libraries' },
  'independent-nodes': { to: 'libraries', href: '/libraries' },
  'console-rights': { to: 'targets', href: '/targets' },
};

function Deep({ id }: { id: ConfigCheck['id'] }) {
  const t = useTranslations('advice.configuration');
  const link = LINKS[id];
  if (!link) return null;
  return (
    <PageLink href={link.href} className="ml-auto text-sm text-accent-ink hover:underline">
      {t(`links.${link.to}`)}
    </PageLink>
  );
}
