'use client';

import { useTranslations } from 'use-intl';
import { KeyText, OwnerText } from '@/components/labels';
import type { Lock } from '@/lib/protocol/lock';

/** More are summed up: the dialog is no list. */
const SHOWN = 5;

/** Who loses a lock by its release: its holder, or all who are inside. */
export function Losers({ lock: { hold, members } }: { lock: Pick<Lock, 'hold' | 'members'> }) {
  const t = useTranslations('release');
  const live = members.filter(({ stale }) => !stale);
  if (live.length < 2) return hold ? <OwnerText owner={hold.owner} /> : '–';
  return (
    <div>
      <p className="font-medium">{t('losers', { count: live.length })}</p>
      <ul className="flex flex-col">
        {live.slice(0, SHOWN).map(({ id, role, owner }) => (
          <li key={`${role ?? ''}:${id}`} className="flex min-w-0 items-baseline gap-1.5">
            {role && role !== 'permit' && (
              <span className="shrink-0 text-xs text-ink-3">{t(`roles.${role}`)}</span>
            )}
            {owner ? <OwnerText owner={owner} /> : <KeyText text={id} />}
          </li>
        ))}
      </ul>
      {live.length > SHOWN && (
        <p className="text-ink-3">{t('moreLosers', { count: live.length - SHOWN })}</p>
      )}
    </div>
  );
}
