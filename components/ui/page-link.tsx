'use client';

import Link from 'next/link';
import { useState, type ComponentProps } from 'react';

/**
 * A link to another page of the console. The page is fetched ahead once a pointer or the focus is on its
 * link; fetching all that are in sight would load their scripts before the figures of this one.
 * `prefetch={false}`: never ahead.
 */
export function PageLink({
  prefetch = null,
  onMouseEnter,
  onFocus,
  ...rest
}: ComponentProps<typeof Link>) {
  const [isWanted, setIsWanted] = useState(false);
  return (
    <Link
      {...rest}
      prefetch={isWanted ? prefetch : false}
      onMouseEnter={(event) => {
        setIsWanted(true);
        onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        setIsWanted(true);
        onFocus?.(event);
      }}
    />
  );
}
