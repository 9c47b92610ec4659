import { lockHref } from '@/components/labels/lock-href';
import type { GraphNode } from './graph-layout';

/** Where a node leads: a lock to its page, an owner to all it holds; at `at` (epoch ms) as they were then. */
export function nodeHref(
  { lock, owner }: Pick<GraphNode, 'lock' | 'owner'>,
  { target, at }: { target: string; at?: number | undefined },
): string {
  if (lock) return lockHref({ target, ...lock }, at);
  const params = new URLSearchParams({ owner: owner ?? '' });
  if (at !== undefined) params.set('at', String(at));
  return `/locks?${params.toString()}`;
}
