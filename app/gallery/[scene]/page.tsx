import { notFound } from 'next/navigation';
import { SceneView } from '@/components/gallery/scene-view';
import { MoreTexts } from '@/components/texts/more-texts';
import { DEFAULT_LOCALE, messagesOf } from '@/lib/messages';

interface Props {
  params: Promise<{ scene: string }>;
}

export default async function ScenePage({ params }: Props) {
  if (process.env.NODE_ENV === 'production') notFound();
  const { scene } = await params;
  return (
    <MoreTexts texts={messagesOf[DEFAULT_LOCALE]}>
      <SceneView name={scene} />
    </MoreTexts>
  );
}
