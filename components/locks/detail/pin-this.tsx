'use client';

import dynamic from 'next/dynamic';
import { Pin } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '@/components/hooks';
import { Button } from '@/components/ui/button';
import type { LockDetail } from '@/lib/protocol/lock';
import { isOnlyDeclared } from './only-declared';
import { pinPattern } from './pin-pattern';

// Seldom needed, and large: loaded when it is first opened.
const PinDialog = dynamic(
  () => import('@/components/pins/pin-dialog').then((module) => module.PinDialog),
  { ssr: false },
);

/** For operators: settles of which library the locks of this class are, where that is in doubt. */
export function PinThis({ lock }: { lock: LockDetail }) {
  const t = useTranslations('lock.library');
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { candidates = [], format, library, formatCertain } = lock;
  if (!session || session.role === 'viewer') return null;
  const isUnknown = isOnlyDeclared(lock);
  if (formatCertain && candidates.length < 2 && !isUnknown) return null;
  const fitting =
    candidates.length > 0
      ? candidates.map(({ format: id, name }) => ({ id, name }))
      : isUnknown
        ? []
        : [{ id: format, name: library.name }];
  return (
    <>
      <Button
        icon={<Pin size={13} aria-hidden />}
        onClick={() => setIsOpen(true)}
        className="self-start"
      >
        {t('pin')}
      </Button>
      {isOpen && (
        <PinDialog
          target={lock.target}
          pattern={pinPattern(lock.class)}
          candidates={fitting}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
