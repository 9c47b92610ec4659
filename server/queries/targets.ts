import type { Target } from '@/lib/protocol/target';
import type { QueryContext } from './query-context';

/** Every watched deployment, and what can be seen of it. */
export const targets = (context: QueryContext): Target[] => [context.watch.status()];
