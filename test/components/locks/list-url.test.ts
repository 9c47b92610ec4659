import { describe, expect, it } from 'vitest';
import {
  activeFields,
  askedFilter,
  listSearch,
  parseListState,
  withField,
  type ListState,
} from '@/components/locks/list/list-url';

const parse = (text: string): ListState => parseListState(new URLSearchParams(text));

describe('the state of the list in the URL', () => {
  it('comes back as it was written', () => {
    const state: ListState = {
      filter: { q: 'a&b=c #ü', state: 'held', class: 'order:*', db: 5, view: 'no-expiry' },
      sort: '-since',
    };
    expect(parse(listSearch(state))).toEqual(state);
  });

  it('is empty for the whole list', () => {
    expect(listSearch({ filter: {}, sort: undefined })).toBe('');
  });

  it('is written the same whatever the order of its fields', () => {
    const a = listSearch({ filter: { db: 1, q: 'x' }, sort: 'key' });
    const b = listSearch({ filter: { q: 'x', db: 1 }, sort: 'key' });
    expect(a).toBe(b);
  });

  it('ignores what makes no sense and keeps the rest', () => {
    expect(parse('state=stolen&db=-3&view=x&sort=y&q=order&other=1')).toEqual({
      filter: { q: 'order' },
      sort: undefined,
    });
  });

  it('can ask for the locks without a namespace', () => {
    expect(parse('namespace=').filter).toEqual({ namespace: '' });
    expect(listSearch({ filter: { namespace: '' }, sort: undefined })).toBe('?namespace=');
  });

  it('loses one condition and keeps the others', () => {
    const state = parse('q=order&state=held&sort=key');
    expect(withField(state, 'state', undefined)).toEqual(parse('q=order&sort=key'));
    expect(withField(state, 'q', '')).toEqual(parse('state=held&sort=key'));
  });

  it('names the conditions in force', () => {
    expect(activeFields(parse('db=0&q=x').filter)).toEqual(['q', 'db']);
  });
});

describe('free locks', () => {
  const asked = (text: string) => askedFilter(parseListState(new URLSearchParams(text)));

  it('are left out of the list unless they are asked for', () => {
    expect(asked('')).toEqual({ free: 'hide' });
    expect(asked('class=lock')).toEqual({ class: 'lock', free: 'hide' });
    expect(asked('free=1')).toEqual({});
    expect(asked('state=free')).toEqual({ state: 'free' });
  });

  it('are part of what a view or a search finds', () => {
    expect(asked('view=lost')).toEqual({ view: 'lost' });
    expect(asked('q=4711')).toEqual({ q: '4711' });
  });

  it('stay shown by the address', () => {
    expect(listSearch(parseListState(new URLSearchParams('free=1&class=a')))).toBe(
      '?class=a&free=1',
    );
  });
});

describe('owner: in the search', () => {
  const asked = (q: string, more = {}) => askedFilter({ filter: { q, ...more }, sort: undefined });

  it('asks for what exactly that host, instance or service holds', () => {
    expect(asked('owner:worker-3')).toEqual({ owner: 'worker-3' });
    expect(asked('order owner:worker-3 sync')).toEqual({ owner: 'worker-3', q: 'order sync' });
    expect(asked('owner:"billing worker"')).toEqual({ owner: 'billing worker' });
  });

  it('is text like any other where it names nobody, or is part of a key', () => {
    expect(asked('owner:')).toEqual({ q: 'owner:' });
    expect(asked('lock:owner:7')).toEqual({ q: 'lock:owner:7' });
  });

  it('does not undo the holder that the filters name', () => {
    expect(asked('owner:a', { owner: 'b' })).toEqual({ q: 'owner:a', owner: 'b' });
  });
});
