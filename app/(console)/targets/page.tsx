import type { Metadata } from 'next';
import { TargetBoard } from '@/components/targets/target-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('targets.title') };

export default function TargetsPage() {
  return (
    <Texts of={['targets']}>
      <TargetBoard />
    </Texts>
  );
}
