'use client';

import { KeyText } from './key-text';
import { endOf } from './truncate';

interface Props {
  /** Its token, printable. */
  owner: string;
  /** What it is called; the token itself where it has no name. */
  name: string;
  className?: string;
}

/** An owner by its name. A name may be that of several: what tells them apart stands beside it. */
export function OwnerName({ owner, name, className }: Props) {
  return (
    <span className="flex max-w-full min-w-0 items-baseline gap-1">
      <KeyText text={name} className={className} />
      {name !== owner && (
        <bdi dir="ltr" title={owner} className="shrink-0 font-mono text-[0.95em] text-ink-3">
          {endOf(owner)}
        </bdi>
      )}
    </span>
  );
}
