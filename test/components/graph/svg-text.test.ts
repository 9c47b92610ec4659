import { describe, expect, it } from 'vitest';
import { xmlText } from '@/components/graph/files/svg-text';

describe('the text of a saved picture', () => {
  it('has nothing in it that no XML may have, and all the rest', () => {
    expect(xmlText('a\u0000b\u001bc\ud800d\uffffe')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde');
    const allowed = 'tab\t line\n ü \u202e 🔒 &lt;';
    expect(xmlText(allowed)).toBe(allowed);
  });
});
