import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RulesBoard } from '@/components/alerts/rules/rules-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('alerts.rules.title') };

export default function RulesPage() {
  return (
    <Suspense>
      <RulesBoard />
    </Suspense>
  );
}
