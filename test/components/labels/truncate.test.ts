import { describe, expect, it } from 'vitest';
import { endOf, truncateMiddle } from '@/components/labels/truncate';

describe('a long text', () => {
  it('is left whole while it is short', () => {
    expect(truncateMiddle('order_sync:1042')).toEqual({
      head: 'order_sync:1042',
      tail: '',
      cut: false,
    });
  });

  it('keeps its end apart, so that the width can cut only the middle', () => {
    const { head, tail, cut } = truncateMiddle('inventory:warehouse-7:sku-7731');
    expect(head + tail).toBe('inventory:warehouse-7:sku-7731');
    expect(tail).toBe('7:sku-7731');
    expect(cut).toBe(false);
  });

  it('of 5,000 characters becomes short, with its start and end', () => {
    const { head, tail, cut } = truncateMiddle(`lock:${'x'.repeat(4986)}:the-end`);
    expect(cut).toBe(true);
    expect(head.startsWith('lock:xxx')).toBe(true);
    expect(head.endsWith('…')).toBe(true);
    expect(tail).toBe('xx:the-end');
    expect(head.length + tail.length).toBeLessThan(200);
  });

  it('is never cut within a character', () => {
    for (let shift = 0; shift < 4; shift++) {
      const { head, tail } = truncateMiddle('x'.repeat(shift) + '🔒'.repeat(200));
      expect((head + tail).isWellFormed()).toBe(true);
    }
  });
});

describe('an id beside a name', () => {
  it('is told by its end, where its task is', () => {
    expect(endOf('c35741da-b809-8845-b7d8-7cdb37e6d2d5:12')).toBe('…2d5:12');
    expect(endOf('host-1:7')).toBe('host-1:7');
    expect(endOf(`x${'🔒'.repeat(20)}`).isWellFormed()).toBe(true);
  });
});
