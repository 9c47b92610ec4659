import type { AuditPage } from '@/lib/protocol/audit';
import type { AuditParams } from '@/lib/protocol/queries';
import type { QueryContext } from './query-context';

const DEFAULT_LIMIT = 100;

/** The audit, newest first. */
export const audit = (context: QueryContext, params: AuditParams): Promise<AuditPage> =>
  context.store.audit({ ...params, limit: params.limit ?? DEFAULT_LIMIT });
