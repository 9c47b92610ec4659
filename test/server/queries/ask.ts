import { expect } from 'vitest';
import {
  QUERIES,
  type QueryName,
  type QueryParams,
  type QueryResult,
} from '@/lib/protocol/queries';
import { runQuery } from '@/server/queries';
import type { QueryContext } from '@/server/queries/query-context';

/** Runs a query and checks the answer against its own schema. */
export async function ask<N extends QueryName>(
  context: QueryContext,
  name: N,
  params: QueryParams<N>,
): Promise<QueryResult<N>> {
  const wire: unknown = JSON.parse(JSON.stringify(await runQuery(context, name, params)));
  // The table pairs every name with its own schema; TypeScript cannot follow that through a generic.
  const parsed = QUERIES[name].result.parse(wire) as QueryResult<N>;
  // Nothing beyond the schema either, which parsing would leave out.
  expect(parsed).toEqual(wire);
  return parsed;
}
