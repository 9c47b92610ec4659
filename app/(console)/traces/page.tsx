import type { Metadata } from 'next';
import { TracesBoard } from '@/components/traces/traces-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('traces.title') };

export default function TracesPage() {
  return (
    <Texts of={['traces']}>
      <TracesBoard />
    </Texts>
  );
}
