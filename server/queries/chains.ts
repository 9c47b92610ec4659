import type { WaitChain } from '@/lib/protocol/deadlock';
import type { ServerContext } from './query-context';

/** Who holds up whom now: trees of waits, those with most owners first. */
export const chains = ({ analysis, now }: ServerContext): WaitChain[] => analysis.chains(now());
