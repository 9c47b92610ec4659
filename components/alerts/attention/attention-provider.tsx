'use client';

import dynamic from 'next/dynamic';
import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import {
  keepSetting,
  keptText,
  OFF,
  onKept,
  readSetting,
  type AttentionSetting,
} from './attention-setting';

// What calls is not needed for the first picture.
const Caller = dynamic(() => import('./caller').then((module) => module.Caller), { ssr: false });

interface Attention {
  setting: AttentionSetting;
  /** False once this browser refused to keep the setting: it holds until the page is left. */
  isKept: boolean;
  change: (changes: Partial<AttentionSetting>) => void;
}

const AttentionContext = createContext<Attention>({
  setting: OFF,
  isKept: true,
  change: () => undefined,
});

export const useAttention = (): Attention => useContext(AttentionContext);

/** Calls for somebody from every page: by count in the tab, and by notification and sound where these are wanted. */
export function AttentionProvider({ children }: { children: ReactNode }) {
  const kept = useSyncExternalStore(onKept, keptText, () => null);
  /** What this browser refused to keep. */
  const [unkept, setUnkept] = useState<AttentionSetting | null>(null);
  const setting = useMemo(() => unkept ?? readSetting(kept), [unkept, kept]);
  const isKept = unkept === null;
  const change = useCallback(
    (changes: Partial<AttentionSetting>) => {
      const next = { ...setting, ...changes };
      setUnkept(keepSetting(next) ? null : next);
    },
    [setting],
  );
  const attention = useMemo(() => ({ setting, isKept, change }), [setting, isKept, change]);
  return (
    <AttentionContext value={attention}>
      {children}
      <Caller setting={setting} />
    </AttentionContext>
  );
}
