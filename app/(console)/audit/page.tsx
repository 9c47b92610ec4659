import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AuditBoard } from '@/components/audit/audit-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('audit.title') };

export default function AuditPage() {
  // What is shown depends on the query string, which only the browser knows.
  return (
    <Texts of={['audit']}>
      <Suspense>
        <AuditBoard />
      </Suspense>
    </Texts>
  );
}
