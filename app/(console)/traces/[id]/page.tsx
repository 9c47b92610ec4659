import type { Metadata } from 'next';
import { TraceBoard } from '@/components/traces/trace-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('traces.title') };

/** Traces come and go; a rendered page of each is not worth keeping. */
export const dynamic = 'force-dynamic';

interface Props {
  params: Promise<{ id: string }>;
}

export default async function TracePage({ params }: Props) {
  const { id } = await params;
  return (
    <Texts of={['traces']}>
      <TraceBoard id={id} />
    </Texts>
  );
}
