import type { Metadata } from 'next';
import { LibraryBoard } from '@/components/libraries/library-board';
import { translator } from '@/lib/messages';

export const metadata: Metadata = { title: translator()('libraries.title') };

export default function LibrariesPage() {
  return <LibraryBoard />;
}
