import type { ReactNode } from 'react';
import { DEFAULT_LOCALE, sectionsOf, type Section } from '@/lib/messages';
import { MoreTexts } from './more-texts';

/**
 * The texts that what is inside says, beside those it has already. They are chosen on the server and travel
 * with the page, so no page loads those of another, nor another language. A layout or a page names them.
 */
export function Texts({ of, children }: { of: readonly Section[]; children: ReactNode }) {
  return <MoreTexts texts={sectionsOf(DEFAULT_LOCALE, of)}>{children}</MoreTexts>;
}
