import { describe, expect, it } from 'vitest';
import { sampleHold, sampleLock, sampleOwner } from '@/components/gallery/locks';
import { readLock } from '@/components/gallery/shared-locks';
import { holderNames } from '@/components/locks/list/holder-names';

const NOW = 1_800_000_000_000;

describe('the holders offered while typing', () => {
  it('are machines, services and instances, each once', () => {
    const held = (host: string) =>
      sampleLock('a', NOW, {
        hold: sampleHold(NOW, { owner: sampleOwner({ host, app: 'billing', instance: null }) }),
      });
    expect(holderNames([held('w-2'), held('w-1'), held('w-2')])).toEqual(['billing', 'w-1', 'w-2']);
  });

  it('include those who share a lock', () => {
    expect(holderNames([readLock(NOW)])).toContain('shop-2');
    expect(holderNames([])).toEqual([]);
  });
});
