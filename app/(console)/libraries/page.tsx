import type { Metadata } from 'next';
import { LibraryBoard } from '@/components/libraries/library-board';
import { Texts } from '@/components/texts/texts';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('libraries.title') };

export default function LibrariesPage() {
  return (
    <Texts of={['discover', 'libraries', 'pin']}>
      <LibraryBoard />
    </Texts>
  );
}
