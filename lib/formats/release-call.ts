import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, LockFormat, RawValue, ReleaseScript } from './format';

/** A lock as it was read; `raw` null = its own key is gone. */
export interface SeenLock {
  key: Bytes;
  format: LockFormat;
  raw: RawValue | null;
  beside: BesideKeys;
}

export interface ReleaseCall extends Pick<ReleaseScript, 'lua' | 'repeatWake'> {
  keys: Bytes[];
  args: (Bytes | number)[];
}

/** What releases the lock as it was read, and no other hold of it; null where its library has nothing for that. */
export function releaseCall(
  { key, format, raw, beside }: SeenLock,
  now: number,
): ReleaseCall | null {
  const { release, releaseBeside } = format;
  if (raw) {
    if (!release) return null;
    const { lua, repeatWake } = release;
    return { lua, repeatWake, ...release.arguments(key, raw, now, beside) };
  }
  if (!releaseBeside) return null;
  return { lua: releaseBeside.lua, repeatWake: null, ...releaseBeside.arguments(key, beside) };
}
