import { isRecord } from '@/lib/protocol/errors';

/** How this browser calls for somebody. Both are off until somebody wants them. */
export interface AttentionSetting {
  notify: boolean;
  sound: boolean;
}

export const OFF: AttentionSetting = { notify: false, sound: false };

const KEY = 'lockscope.attention';

/** Reads what `text` keeps; what makes no sense is off. */
export function readSetting(text: string | null): AttentionSetting {
  if (text === null) return OFF;
  try {
    const kept: unknown = JSON.parse(text);
    if (!isRecord(kept)) return OFF;
    return { notify: kept['notify'] === true, sound: kept['sound'] === true };
  } catch {
    // Not ours, or damaged: as if nobody had set anything.
    return OFF;
  }
}

/** What this browser keeps, as text; null where it keeps nothing, as some do in private windows. */
export function keptText(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps the setting for this browser; false where it keeps nothing. */
export function keepSetting(setting: AttentionSetting): boolean {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(setting));
  } catch {
    return false;
  }
  // Browsers tell the other tabs only.
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
  return true;
}

/** Tells when this tab or another keeps another setting. Returns what ends it. */
export function onKept(listen: () => void): () => void {
  const hear = ({ key }: StorageEvent): void => {
    // Null = all was removed.
    if (key === KEY || key === null) listen();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}
