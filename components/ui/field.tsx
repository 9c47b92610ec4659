import { clsx } from 'clsx';
import { useId } from 'react';
import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';

const CONTROL =
  'w-full min-w-0 rounded-md border border-control bg-surface text-sm text-ink hover:border-ink-3 disabled:opacity-55 aria-[invalid=true]:border-critical focus-visible:outline-offset-0';

interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string;
  /** Draws the control with the ids that tie label, hint and error to it. */
  children: (ids: ControlIds) => ReactNode;
}

/** A labelled control with a hint and an error that screen readers read with it. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const described = error || hint ? `${id}-note` : undefined;
  return (
    <div className={clsx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error ? true : undefined,
      })}
      {described && (
        <p id={described} className={clsx('text-xs', error ? 'text-critical' : 'text-ink-3')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

export function Input({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input {...rest} className={clsx(CONTROL, 'h-8 px-2.5', className)} />;
}

export function Textarea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea rows={2} {...rest} className={clsx(CONTROL, 'px-2.5 py-1.5', className)} />;
}

/** The browser's own select: works with every keyboard, screen reader and phone. */
export function Select({
  className,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return <select {...rest} className={clsx(CONTROL, 'h-7 px-1.5 text-xs', className)} />;
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
}

export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={clsx('flex items-start gap-2 text-sm', className)}>
      <input {...rest} type="checkbox" className="mt-0.5 size-3.5 shrink-0 accent-accent" />
      <span>{label}</span>
    </label>
  );
}
