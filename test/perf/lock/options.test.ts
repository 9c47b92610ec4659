import { describe, expect, it } from 'vitest';
import { parseLockOptions } from '@/test/perf/lock/options';
import { PEERS } from '@/test/perf/lock/peers';

describe('options of bench lock', () => {
  it('measure everything and everybody unless told otherwise', () => {
    expect(parseLockOptions([])).toEqual({
      parts: ['uncontended', 'contended'],
      peers: PEERS.map(({ name }) => name),
      jsonFile: null,
      quick: false,
    });
  });

  it('narrow parts and peers', () => {
    const words = ['--peers', 'verrou,redlock5', '--quick', '--only', 'contended'];
    expect(parseLockOptions([...words, '--json', 'x.json'])).toEqual({
      parts: ['contended'],
      peers: ['verrou', 'redlock5'],
      jsonFile: 'x.json',
      quick: true,
    });
    expect(parseLockOptions(['--peers', 'none'])?.peers).toEqual([]);
  });

  it.each([['--peers', 'nobody'], ['--only', 'live'], ['--fast']])('refuse %s %s', (...words) => {
    expect(parseLockOptions(words)).toBeNull();
  });
});
