import type { GapReason } from '@/lib/protocol/target';
import type { ServerFacts } from './server-facts';

/** A reply this late when the connection broke means that Redis was holding data back for us. */
const BACKLOG_WAIT_MS = 1_500;
/** A moment's hold-up on our side leaves less than this behind; no sensible limit is as low. */
const BACKLOG_BYTES = 256 * 1024;

/** Why a connection broke, as far as it can be told at that moment. */
export function reasonOfLoss(signs: {
  /** Set when we ourselves gave the connection up. */
  dropReason: GapReason | null;
  /** The last frame came in part: Redis had more to send than it could. */
  midFrame: boolean;
  /** Age of the oldest unanswered command. */
  waitingMs: number;
  /** Bytes that Redis was holding back for us when last asked. */
  backlogBytes: number;
}): GapReason {
  if (signs.dropReason) return signs.dropReason;
  const heldBack =
    signs.midFrame || signs.backlogBytes > BACKLOG_BYTES || signs.waitingMs > BACKLOG_WAIT_MS;
  return heldBack ? 'buffer-cut' : 'connection-lost';
}

/** What the server said of itself when the last connection opened. */
export type BeforeLoss = Pick<ServerFacts, 'runId' | 'cutClients'>;

/** What the return of the connection tells about its loss; `reason` undefined = nothing new. */
export function lessonOfReturn(
  before: BeforeLoss,
  after: BeforeLoss,
): { reason: GapReason | undefined; serverRestarted: boolean } {
  if (before.runId !== null && after.runId !== before.runId) {
    return { reason: 'server-restarted', serverRestarted: true };
  }
  const wasCut = before.cutClients !== null && (after.cutClients ?? 0) > before.cutClients;
  return { reason: wasCut ? 'buffer-cut' : undefined, serverRestarted: false };
}
