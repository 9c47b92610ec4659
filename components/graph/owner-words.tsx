import { KeyText } from '@/components/labels';

interface Props {
  id: string;
  app?: string | undefined;
  isWaiter?: boolean;
}

/** The service where it is known, and the whole id. */
export function OwnerWords({ id, app, isWaiter }: Props) {
  const weight = isWaiter ? 'font-medium' : '';
  if (app === undefined) return <KeyText text={id} className={`max-w-full ${weight}`} />;
  return (
    <>
      <bdi className={weight}>{app}</bdi>
      <KeyText text={id} className="max-w-full text-ink-3" />
    </>
  );
}
