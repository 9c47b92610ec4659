import { LockFilter, LockSort } from '@/lib/protocol/queries';

/** What the list of locks shows. Lives in the URL, so that a view can be sent to a colleague. */
export interface ListState {
  filter: LockFilter;
  sort: LockSort | undefined;
}

const FIELDS = ['q', 'state', 'format', 'class', 'owner', 'namespace', 'db', 'view'] as const;
export type FilterField = (typeof FIELDS)[number];

/** Reads the state from a query string; a value that makes no sense is as good as absent. */
export function parseListState(params: URLSearchParams): ListState {
  const filter: LockFilter = {};
  for (const field of FIELDS) {
    const value = params.get(field);
    if (value === null || (value === '' && field !== 'namespace')) continue;
    const parsed = LockFilter.safeParse({ [field]: value });
    if (parsed.success) Object.assign(filter, parsed.data);
  }
  const sort = LockSort.safeParse(params.get('sort'));
  return { filter, sort: sort.success ? sort.data : undefined };
}

/** The query string of a state, empty or with a leading `?`; equal states give equal text. */
export function listSearch({ filter, sort }: ListState): string {
  const params = new URLSearchParams();
  for (const field of FIELDS) {
    const value = filter[field];
    if (value !== undefined && (value !== '' || field === 'namespace')) {
      params.set(field, String(value));
    }
  }
  if (sort) params.set('sort', sort);
  const text = params.toString();
  return text ? `?${text}` : '';
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
