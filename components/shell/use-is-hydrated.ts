'use client';

import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};

/** False on the server and while React takes over its HTML, true after. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
