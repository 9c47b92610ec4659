'use client';

import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { EmptyState } from '@/components/ui/empty-state';

/** What only an administrator may see; the others are told why not. Nothing while it is not known who looks. */
export function TraceAccess({ children }: { children: ReactNode }) {
  const t = useTranslations('traces');
  const session = useSession();
  if (!session) return null;
  if (session.role === 'admin') return children;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState icon={<ShieldAlert size={22} aria-hidden />} title={t('adminTitle')}>
        {t('adminText')}
      </EmptyState>
    </div>
  );
}
