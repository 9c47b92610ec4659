import { notFound } from 'next/navigation';
import { SceneView } from '@/components/gallery/scene-view';

interface Props {
  params: Promise<{ scene: string }>;
}

export default async function ScenePage({ params }: Props) {
  if (process.env.NODE_ENV === 'production') notFound();
  const { scene } = await params;
  return <SceneView name={scene} />;
}
