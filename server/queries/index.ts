import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import {
  QUERIES,
  type QueryName,
  type QueryParams,
  type QueryResult,
} from '@/lib/protocol/queries';
import { hasRole } from '@/server/auth/actor';
import { parseInput } from './parse-input';
import type { QueryContext } from './query-context';
import { advice } from './advice';
import { alert } from './alert';
import { alerts } from './alerts';
import { audit } from './audit';
import { blame } from './blame';
import { chains } from './chains';
import { classes } from './classes';
import { configuration } from './configuration';
import { deadlocks } from './deadlocks';
import { discovery } from './discovery';
import { heatCell } from './heat-cell';
import { heatmap } from './heatmap';
import { history } from './history';
import { holds } from './holds';
import { libraries, pins } from './libraries';
import { lock } from './lock';
import { locks } from './locks';
import { notify } from './notify';
import { orders } from './orders';
import { overview } from './overview';
import { ruleDryRun } from './rule-dry-run';
import { rules } from './rules';
import { past } from './past';
import { pastLock } from './past-lock';
import { targets } from './targets';
import { timeouts } from './timeouts';
import { trace, traces } from './traces';
import { waits } from './waits';

type Query<N extends QueryName> = (
  context: QueryContext,
  params: QueryParams<N>,
) => QueryResult<N> | Promise<QueryResult<N>>;

const TABLE: { [N in QueryName]: Query<N> } = {
  overview,
  locks,
  lock,
  holds,
  classes,
  heatmap,
  'heat-cell': heatCell,
  waits,
  blame,
  past,
  'past-lock': pastLock,
  advice,
  timeouts,
  configuration,
  history,
  deadlocks,
  chains,
  orders,
  alerts,
  alert,
  rules,
  'rule-dry-run': ruleDryRun,
  audit,
  targets,
  traces,
  trace,
  pins,
  libraries,
  discovery,
  notify,
};

export const isQueryName = (name: string): name is QueryName => Object.hasOwn(QUERIES, name);

/** The parameters of the query of that name. Throws NOT_FOUND and INVALID_INPUT naming the field. */
export function parseParams<N extends QueryName>(name: N, rawParams: unknown): QueryParams<N> {
  // The table pairs every name with its own schema; TypeScript cannot follow that through a generic.
  return parseInput(QUERIES[name].params, rawParams) as QueryParams<N>;
}

/**
 * Runs the query of that name for `context.actor`, who must be a viewer at least.
 * Throws NOT_FOUND for an unknown name, FORBIDDEN, INVALID_INPUT, and what the query throws.
 */
export async function runQuery(
  context: QueryContext,
  name: string,
  rawParams: unknown,
): Promise<unknown> {
  if (!isQueryName(name))
    throw new CodedError('NOT_FOUND', said('not-found:query', { query: name }));
  return await runNamed(context, name, rawParams);
}

async function runNamed<N extends QueryName>(
  context: QueryContext,
  name: N,
  rawParams: unknown,
): Promise<QueryResult<N>> {
  const params = parseParams(name, rawParams);
  if (!hasRole(context.actor, 'viewer')) {
    throw new CodedError('FORBIDDEN', said('forbidden:viewer', {}));
  }
  const query: Query<N> = TABLE[name];
  return await query(context, params);
}
