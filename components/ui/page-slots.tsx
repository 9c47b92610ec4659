'use client';

import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Places in the frame around the pages that a page may fill: among its tools, and as a bar above the content. */
export type PageSlotName = 'tools' | 'bar';

type Elements = Record<PageSlotName, HTMLElement | null>;

interface Slots {
  elements: Elements;
  setElement: (name: PageSlotName, element: HTMLElement | null) => void;
}

const SlotsContext = createContext<Slots | null>(null);

/** Around the frame and the pages in it. */
export function PageSlots({ children }: { children: ReactNode }) {
  const [elements, setElements] = useState<Elements>({ tools: null, bar: null });
  const setElement = useCallback<Slots['setElement']>(
    (name, element) =>
      setElements((before) => (before[name] === element ? before : { ...before, [name]: element })),
    [],
  );
  const slots = useMemo(() => ({ elements, setElement }), [elements, setElement]);
  return <SlotsContext value={slots}>{children}</SlotsContext>;
}

/** The place in the frame. */
export function PageSlot({ name, className }: { name: PageSlotName; className?: string }) {
  const setElement = useContext(SlotsContext)?.setElement;
  const place = useCallback(
    (element: HTMLElement | null) => setElement?.(name, element),
    [setElement, name],
  );
  return <div ref={place} className={className} />;
}

/** What a page puts there; nothing where there is no such frame. */
export function InPageSlot({ name, children }: { name: PageSlotName; children: ReactNode }) {
  const element = useContext(SlotsContext)?.elements[name];
  return element ? createPortal(children, element) : null;
}
