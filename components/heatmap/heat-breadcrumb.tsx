'use client';

import { ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { KeyText } from '@/components/labels';
import type { Subject } from './heat-tree';

const STEP =
  'min-w-0 max-w-72 rounded px-1 text-accent-ink hover:underline focus-visible:-outline-offset-1';

interface Props {
  shown: Subject;
  onSubject: (subject: Subject) => void;
}

/** What the map is narrowed to, and the way back out. */
export function HeatBreadcrumb({ shown, onSubject }: Props) {
  const t = useTranslations('heatmap');
  if (shown.namespace === null && shown.class === null) return null;
  const namespace = shown.namespace;
  const namespaceText =
    namespace === '' ? <i>{t('noNamespace')}</i> : <KeyText text={namespace ?? ''} />;
  return (
    <nav aria-label={t('breadcrumb')}>
      <ol className="flex flex-wrap items-center gap-1 text-xs">
        <li>
          <button
            type="button"
            className={STEP}
            onClick={() => onSubject({ namespace: null, class: null })}
          >
            {t('allNamespaces')}
          </button>
        </li>
        {namespace !== null && (
          <li className="flex min-w-0 items-center gap-1">
            <ChevronRight size={12} aria-hidden className="text-ink-3" />
            {shown.class === null ? (
              <span aria-current="true" className="min-w-0 max-w-72 px-1 font-medium">
                {namespaceText}
              </span>
            ) : (
              <button
                type="button"
                className={STEP}
                onClick={() => onSubject({ namespace, class: null })}
              >
                {namespaceText}
              </button>
            )}
          </li>
        )}
        {shown.class !== null && (
          <li className="flex min-w-0 items-center gap-1">
            <ChevronRight size={12} aria-hidden className="text-ink-3" />
            <span aria-current="true" className="min-w-0 max-w-96 px-1 font-medium">
              <KeyText text={shown.class} />
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
