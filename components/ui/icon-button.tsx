import { clsx } from 'clsx';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A button of one icon; its label is the accessible name and the tooltip. */
export function IconButton({ label, icon, className, ...rest }: Props) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={clsx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-sunken hover:text-ink disabled:opacity-55',
        className,
      )}
    >
      {icon}
    </button>
  );
}
