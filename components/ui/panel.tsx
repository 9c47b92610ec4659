import { clsx } from 'clsx';
import { useId } from 'react';
import type { ReactNode } from 'react';

interface Props {
  title: ReactNode;
  /** A figure or badge right after the title. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** One muted sentence under the title. */
  description?: ReactNode;
  /** Content reaches the edges: tables and lists. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A titled card, and a landmark named by its title. */
export function Panel(props: Props) {
  const { title, aside, actions, description, flush = false, className, children } = props;
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx('flex min-w-0 flex-col rounded-lg border border-line bg-surface', className)}
    >
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1.5">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        {aside}
        {actions && (
          <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">{actions}</div>
        )}
        {description && <p className="basis-full text-xs text-ink-3">{description}</p>}
      </header>
      <div className={clsx('min-w-0 flex-1', !flush && 'p-3')}>{children}</div>
    </section>
  );
}
