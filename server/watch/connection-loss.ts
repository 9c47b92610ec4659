import type { GapReason } from '@/lib/protocol/target';
import type { ClosedWith } from '@/server/redis/event-connection';
import type { ServerFacts } from './server-facts';

/** A reply this late when the connection broke means that Redis was holding data back for us. */
const BACKLOG_WAIT_MS = 1_500;
/** A question is asked every second: where none was answered for so long, nothing was read. */
const HELD_UP_MS = 3_000;
/** A moment's hold-up on our side leaves less than this behind; no sensible limit is as low. */
const BACKLOG_BYTES = 256 * 1024;

interface LossSigns {
  /** Set when we ourselves gave the connection up. */
  dropReason: GapReason | null;
  /** The last frame came in part: Redis had more to send than it could. */
  midFrame: boolean;
  /** Age of the oldest unanswered command. */
  waitingMs: number;
  /** Bytes that Redis was holding back for us when last asked. */
  backlogBytes: number;
}

/** Why a connection broke, as far as it can be told at that moment. */
export function reasonOfLoss(signs: LossSigns): GapReason {
  if (signs.dropReason) return signs.dropReason;
  const heldBack =
    signs.midFrame || signs.backlogBytes > BACKLOG_BYTES || signs.waitingMs > BACKLOG_WAIT_MS;
  return heldBack ? 'buffer-cut' : 'connection-lost';
}

/**
 * Whether nothing had been read for long, so that events may have piled up in Redis. What was under way is not there to
 * be counted: a connection that is reset loses it. Alone it is a hold-up on our side before a loss of any kind.
 */
export const wasBehind = ({ behindMs }: Pick<ClosedWith, 'behindMs'>): boolean =>
  behindMs > HELD_UP_MS;

/** What is known of the server while the connection stood, and how its loss looked. */
export interface BeforeLoss extends Pick<ServerFacts, 'runId'> {
  /**
   * Clients that were cut for full buffers, as the lost connection itself told: before its loss, that is, so that none
   * of them is ours. Null = this Redis does not count them.
   */
  cutClients: number | null;
  /** As {@link reasonOfLoss}; null = no loss was seen. */
  reason: GapReason | null;
  wasBehind: boolean;
}

/**
 * What the return of the connection tells about its loss; `reason` undefined = nothing new. Redis counts whom it cut
 * off and names nobody: if it counted nobody we were not cut, and if it did it may have been another client, unless
 * our own connection looked like it.
 */
export function lessonOfReturn(
  before: BeforeLoss,
  after: Pick<ServerFacts, 'runId' | 'cutClients'>,
): { reason: GapReason | undefined; serverRestarted: boolean } {
  if (before.runId !== null && after.runId !== before.runId) {
    return { reason: 'server-restarted', serverRestarted: true };
  }
  return { reason: reasonByCount(before, after.cutClients), serverRestarted: false };
}

function reasonByCount(
  { cutClients, reason, wasBehind: isBehind }: BeforeLoss,
  cutSince: number | null,
): GapReason | undefined {
  if (reason === null || cutClients === null || cutSince === null) return undefined;
  const wasAnyCut = cutSince > cutClients;
  if (reason === 'buffer-cut') return wasAnyCut ? undefined : 'connection-lost';
  if (!wasAnyCut) return undefined;
  return isBehind && reason === 'connection-lost' ? 'buffer-cut' : 'perhaps-buffer-cut';
}
