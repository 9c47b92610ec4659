import { clsx } from 'clsx';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

export type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md';

const LOOK: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'bg-critical-fill text-on-accent hover:brightness-90',
};
const SIZE: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 px-2.5 text-xs',
  md: 'h-8 gap-2 px-3 text-sm',
};

/** The classes of a button, for a link that looks like one. */
export function buttonClass(look: ButtonLook = 'secondary', size: ButtonSize = 'sm'): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors select-none',
    'disabled:pointer-events-auto disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    LOOK[look],
    SIZE[size],
  );
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: ButtonLook;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner and refuses further presses while the answer is awaited. */
  pending?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button(props: Props) {
  const { look, size, icon, pending = false, className, children, disabled, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={clsx(buttonClass(look, size), className)}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </button>
  );
}

function Spinner() {
  return (
    <span
      aria-hidden
      className="size-3 animate-spin rounded-full border-[1.5px] border-current border-t-transparent motion-reduce:animate-none"
    />
  );
}
