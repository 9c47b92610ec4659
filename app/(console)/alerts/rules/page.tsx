import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RulesBoard } from '@/components/alerts/rules/rules-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('rules.title') };

export default function RulesPage() {
  return (
    <Texts of={['rules']}>
      <Suspense>
        <RulesBoard />
      </Suspense>
    </Texts>
  );
}
