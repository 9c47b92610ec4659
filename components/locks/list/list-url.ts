import { LOCK_SORTS, LOCK_STATES, LOCK_VIEWS, memberOf } from '@/lib/protocol/closed-sets';
import type { LockFilter, LockSort } from '@/lib/protocol/queries';

/** What the list of locks shows. Lives in the URL, so that a view can be sent to a colleague. */
export interface ListState {
  filter: LockFilter;
  sort: LockSort | undefined;
  /** Lists what nobody holds as well. */
  free?: boolean;
}

const FIELDS = ['q', 'state', 'format', 'class', 'owner', 'namespace', 'db', 'view'] as const;
export type FilterField = (typeof FIELDS)[number];

/** Each field as `LockFilter` reads it on the server, which checks again. */
const READERS: { [F in FilterField]: (text: string) => LockFilter[F] } = {
  q: atMost(6000),
  state: (text) => memberOf(LOCK_STATES, text),
  format: atMost(64),
  class: atMost(6000),
  owner: atMost(6000),
  namespace: atMost(6000),
  db: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  view: (text) => memberOf(LOCK_VIEWS, text),
};

function atMost(length: number): (text: string) => string | undefined {
  return (text) => (text.length <= length ? text : undefined);
}

/** Reads the state from a query string; a value that makes no sense is as good as absent. */
export function parseListState(params: URLSearchParams): ListState {
  const filter: LockFilter = {};
  for (const field of FIELDS) {
    const value = params.get(field);
    if (value === null || (value === '' && field !== 'namespace')) continue;
    const read = READERS[field](value);
    if (read !== undefined) Object.assign(filter, { [field]: read });
  }
  const free = params.get('free') === '1';
  return { filter, sort: memberOf(LOCK_SORTS, params.get('sort')), ...(free && { free }) };
}

/** The query string of a state, empty or with a leading `?`; equal states give equal text. */
export function listSearch({ filter, sort, free = false }: ListState): string {
  const params = new URLSearchParams();
  for (const field of FIELDS) {
    const value = filter[field];
    if (value !== undefined && (value !== '' || field === 'namespace')) {
      params.set(field, String(value));
    }
  }
  if (sort) params.set('sort', sort);
  if (free) params.set('free', '1');
  const text = params.toString();
  return text ? `?${text}` : '';
}

/**
 * Whether free locks may be left out: most are names that were locked once and never again. Who asks for a
 * state, a view or a text wants whatever fits.
 */
export const mayHideFree = ({ state, view, q }: LockFilter): boolean =>
  state === undefined && view === undefined && q === undefined;

/** What the server is asked for. */
export const askedFilter = ({ filter, free = false }: ListState): LockFilter =>
  mayHideFree(filter) && !free ? { ...filter, free: 'hide' } : readOwnerWord(filter);

const OWNER_WORD = /(^|\s)owner:(?:"([^"]+)"|([^\s"]+))(?=\s|$)/;

/** `owner:NAME` in the search asks for the holder of exactly that name; in quotes where the name has spaces. */
function readOwnerWord(filter: LockFilter): LockFilter {
  const { q, ...others } = filter;
  const word = others.owner === undefined && q !== undefined ? OWNER_WORD.exec(q) : null;
  if (!word || q === undefined) return filter;
  const rest = q.replace(word[0], '').trim();
  return { ...others, owner: word[2] ?? word[3], ...(rest !== '' && { q: rest }) };
}

/** Fields that narrow the list now, in a fixed order. */
export const activeFields = (filter: LockFilter): FilterField[] =>
  FIELDS.filter((field) => filter[field] !== undefined);

/** The state with one field changed; `undefined` takes the condition away. */
export function withField<F extends FilterField>(
  state: ListState,
  field: F,
  value: LockFilter[F] | undefined,
): ListState {
  const filter: LockFilter = { ...state.filter };
  delete filter[field];
  if (value !== undefined && (value !== '' || field === 'namespace')) filter[field] = value;
  return { ...state, filter };
}
