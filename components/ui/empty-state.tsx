import type { ReactNode } from 'react';

interface Props {
  icon?: ReactNode;
  title: ReactNode;
  /** It is all there is on the page, so its title is the page's heading. */
  isPage?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Says why there is nothing, and what to do about it. */
export function EmptyState({ icon, title, isPage = false, children, actions }: Props) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="flex flex-col items-center justify-center gap-2 px-6 py-10 text-center">
      {icon && <div className="text-ink-3">{icon}</div>}
      <Title className="text-base font-medium">{title}</Title>
      {children && <div className="max-w-prose text-sm text-ink-2">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
