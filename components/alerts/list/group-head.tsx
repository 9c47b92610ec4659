'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { AlertCodeLabel, KeyText, SeverityIcon } from '@/components/labels';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import type { AlertLine } from './alert-groups';
import type { Grouping } from './alert-view';

interface Props {
  line: Extract<AlertLine, { kind: 'group' }>;
  grouping: Grouping;
  onFold: (id: string) => void;
}

/** What the alerts below have in common and how many they are; a press folds them away. */
export function GroupHead({ line: { id, group, isOpen }, grouping, onFold }: Props) {
  const t = useTranslations('alerts');
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div className="border-b border-line bg-sunken">
      <h2 className="flex">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onFold(id)}
          className="flex h-9 min-w-0 flex-1 items-center gap-2 px-3 text-left text-sm font-semibold focus-visible:-outline-offset-2"
        >
          <Chevron size={14} aria-hidden className="shrink-0 text-ink-3" />
          <span className="flex min-w-0">
            {group.key === null ? (
              <span className="text-ink-2">{grouping !== 'none' && t(`without.${grouping}`)}</span>
            ) : grouping === 'code' ? (
              <AlertCodeLabel code={group.key} />
            ) : (
              <KeyText text={group.key} />
            )}
          </span>
          <span className="shrink-0 text-xs font-normal text-ink-2">
            {t('groupCount', { count: group.alerts.length })}
          </span>
          <span className="ml-auto flex shrink-0 gap-2 text-xs font-medium">
            {SEVERITIES.filter((severity) => group.unattended[severity] > 0).map((severity) => (
              <span key={severity} className="inline-flex items-center gap-0.5">
                <SeverityIcon severity={severity} size={12} />
                <span aria-hidden>{group.unattended[severity]}</span>
                <span className="sr-only">
                  {t(`firingOf.${severity}`, { count: group.unattended[severity] })}
                </span>
              </span>
            ))}
          </span>
        </button>
      </h2>
    </div>
  );
}
