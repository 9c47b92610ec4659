import type { AuditPage } from '@/lib/protocol/audit';
import type { AuditParams } from '@/lib/protocol/queries';
import type { QueryContext } from './query-context';
import { requireOrder } from './watched-range';

const DEFAULT_LIMIT = 100;

/** The audit, newest first. */
export async function audit(context: QueryContext, params: AuditParams): Promise<AuditPage> {
  requireOrder(params.from ?? 0, params.to ?? Infinity);
  return await context.store.audit({ ...params, limit: params.limit ?? DEFAULT_LIMIT });
}
