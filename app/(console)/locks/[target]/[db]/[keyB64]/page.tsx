import type { Metadata } from 'next';
import { parseLockAddress } from '@/components/labels/lock-href';
import { BadLockAddress, LockView } from '@/components/locks/detail/lock-view';
import { PastLockView } from '@/components/past/past-lock';
import { TimeMachine } from '@/components/past/time-machine';
import { Texts } from '@/components/texts/texts';
import { fromBase64Url, printable } from '@/lib/protocol/bytes';

/** Keys are too many and too long to keep a rendered page of each. */
export const dynamic = 'force-dynamic';

interface Props {
  params: Promise<{ target: string; db: string; keyB64: string }>;
}

const TITLE_MAX = 80;

async function addressOf(params: Props['params']) {
  const { target, db, keyB64 } = await params;
  return parseLockAddress({ target, db, keyB64 });
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const address = await addressOf(params);
  return { title: printable(fromBase64Url(address?.keyB64 ?? '') ?? '').slice(0, TITLE_MAX) };
}

export default async function LockPage({ params }: Props) {
  const address = await addressOf(params);
  if (!address) return <BadLockAddress />;
  return (
    <Texts of={['charts', 'formats', 'lock', 'locks', 'past', 'pin', 'release']}>
      <TimeMachine past={<PastLockView address={address} />} lock={address}>
        <LockView address={address} />
      </TimeMachine>
    </Texts>
  );
}
