'use client';

import { useEffect, useRef, type ReactNode } from 'react';

/** A part of the page that a link leads to, although it comes later than the page: scrolled to when it is there. */
export function LinkedPlace({ id, children }: { id: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (window.location.hash === `#${id}`) place.current?.scrollIntoView();
  }, [id]);
  return (
    <div ref={place} id={id} className="min-w-0 scroll-mt-4">
      {children}
    </div>
  );
}
