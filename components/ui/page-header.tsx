import type { ReactNode } from 'react';

interface Props {
  title: ReactNode;
  /** Figures or badges beside the title. */
  aside?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, aside, description, actions }: Props) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 tabIndex={-1} className="text-lg font-semibold tracking-tight">
        {title}
      </h1>
      {aside}
      {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      {description && <p className="basis-full text-sm text-ink-2">{description}</p>}
    </header>
  );
}
