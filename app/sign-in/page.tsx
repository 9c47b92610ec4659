import type { Metadata } from 'next';
import { SignInForm } from '@/components/shell/sign-in-form';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('signIn.title') };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next, error } = await searchParams;
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <Texts of={['sentences', 'signIn', 'time']}>
        <SignInForm next={one(next)} linkError={one(error)} />
      </Texts>
    </main>
  );
}

const one = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;
