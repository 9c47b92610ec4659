import { clsx } from 'clsx';

/** A grey block where a figure will be. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('animate-skeleton block rounded bg-line', className)} />;
}

/** Rows of a list that is loading; `label` is read out once. */
export function SkeletonRows({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <output aria-label={label} className="flex flex-col gap-2.5 p-3">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={clsx('h-4', row % 3 === 1 ? 'w-4/5' : 'w-full')} />
      ))}
    </output>
  );
}
