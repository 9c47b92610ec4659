import { describe, expect, it } from 'vitest';
import { pinPattern } from '@/components/locks/detail/pin-pattern';
import { bytesFromText, printable } from '@/lib/protocol/bytes';
import { compileGlob } from '@/lib/analysis/glob';
import { globOf } from '@/server/libraries/proposals';

const TEMPLATES = ['order:*', 'a?b[1]:*', 'back\\slash:*', 'ü:\u0001:*', 'lock:\u00ff*?'];

describe('the pattern suggested for a pin', () => {
  it('is the class of the lock as a glob, as a discover run would propose it', () => {
    for (const template of TEMPLATES.map(bytesFromText)) {
      expect(pinPattern(printable(template))).toBe(printable(globOf(template)));
    }
  });

  it('takes in the locks of the class and nothing that only looks like a sign', () => {
    expect(pinPattern('a?b:*')).toBe('a\\\\?b:*');
    const glob = compileGlob(globOf('a?b:*'));
    expect([glob('a?b:1'), glob('axb:1')]).toEqual([true, false]);
  });
});
