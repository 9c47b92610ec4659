import { Compass } from 'lucide-react';
import { PageLink } from '@/components/ui/page-link';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { translator } from '@/lib/messages';

export default function NotFound() {
  const t = translator();
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <EmptyState
        isPage
        icon={<Compass size={28} aria-hidden />}
        title={t('shell.notFound.title')}
        actions={
          <PageLink href="/" className={buttonClass('primary')}>
            {t('shell.notFound.home')}
          </PageLink>
        }
      >
        {t('shell.notFound.text')}
      </EmptyState>
    </main>
  );
}
