import { randomBytes } from 'node:crypto';
import { said } from '@/lib/messages/in-english';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import type { Discovery, LibrariesPage, Proposal } from '@/lib/protocol/libraries';
import { DiscoveryRun, type DiscoveryBudget, type DiscoveryParts } from './discovery-run';
import { proposalsOf } from './proposals';

/** Runs that are kept, in memory. */
const KEPT = 5;
/** Proposals of a run under way are made anew this often at most. */
const PROPOSALS_EVERY_MS = 500;

type Head = LibrariesPage['discoveries'][number];

/** The runs that looked for locks lately. One at a time. */
export interface Discoveries {
  /** Its id. Throws CONFLICT while another runs. */
  start: (budget: DiscoveryBudget, actor: string) => string;
  /** Resolves when the run has ended. Throws NOT_FOUND. */
  stop: (id: string) => Promise<Discovery>;
  /** Throws NOT_FOUND. */
  get: (id: string) => Discovery;
  /** Newest first. */
  list: () => Head[];
  /** Ends what runs. */
  end: () => Promise<void>;
}

interface Kept {
  head: Head;
  budget: DiscoveryBudget;
  run: DiscoveryRun;
  ended: Discovery['ended'];
  failedBecause: string | null;
  over: Promise<void>;
  proposals: { at: number; value: Proposal[] } | null;
}

export function createDiscoveries(parts: DiscoveryParts): Discoveries {
  let kept: Kept[] = [];

  const find = (id: string): Kept => {
    const found = kept.find(({ head }) => head.id === id);
    if (found) return found;
    throw new CodedError('NOT_FOUND', said('discover:unknown', {}));
  };

  const proposals = (of: Kept): Proposal[] => {
    const at = parts.now();
    if (!of.proposals || at - of.proposals.at >= PROPOSALS_EVERY_MS) {
      of.proposals = { at, value: proposalsOf(of.run.classes.all(), parts.isWatched) };
    }
    return of.proposals.value;
  };

  const viewOf = (of: Kept): Discovery => {
    const { run, budget } = of;
    const { elapsedMs, rate, figures } = run;
    return {
      ...of.head,
      ...figures,
      ended: of.ended,
      failedBecause: of.failedBecause,
      dbs: [...budget.dbs],
      maxKeys: budget.maxKeys,
      seconds: budget.seconds,
      elapsedMs: Math.round(elapsedMs),
      keysPerSecond: Math.round((figures.scanned * 1000) / Math.max(1, elapsedMs)),
      pingMs: rate.pingMs,
      rateLimit: rate.keysPerSecond,
      classes: run.classes.size,
      proposals: proposals(of),
    };
  };

  const settle = (
    of: Kept,
    ended: NonNullable<Discovery['ended']>,
    failedBecause: string | null,
  ): void => {
    of.ended = ended;
    of.failedBecause = failedBecause;
    of.proposals = null;
    of.head.state = ended === 'failed' || ended === 'stopped' ? ended : 'done';
  };

  const watchOver = async (of: Kept): Promise<void> => {
    try {
      settle(of, await of.run.run(), null);
    } catch (error) {
      // What broke it is told by the run itself: nobody waits for it.
      if (!isCodedError(error) && !(error instanceof Error)) throw error;
      settle(of, 'failed', error.message);
    }
  };

  const stop = async (id: string): Promise<Discovery> => {
    const found = find(id);
    found.run.stop();
    await found.over;
    return viewOf(found);
  };

  return {
    start: (budget, actor) => {
      const running = kept.find(({ head }) => head.state === 'running');
      if (running) {
        const { id } = running.head;
        throw new CodedError('CONFLICT', said('discover:running', { actor: running.head.actor }), {
          id,
        });
      }
      const id = randomBytes(9).toString('base64url');
      const begun: Kept = {
        head: { id, state: 'running', startedAt: parts.now(), actor },
        budget,
        run: new DiscoveryRun(parts, budget),
        ended: null,
        failedBecause: null,
        over: Promise.resolve(),
        proposals: null,
      };
      begun.over = watchOver(begun);
      kept = [begun, ...kept].slice(0, KEPT);
      return id;
    },
    stop,
    get: (id) => viewOf(find(id)),
    list: () => kept.map(({ head }) => ({ ...head })),
    end: async () => {
      for (const { run } of kept) run.stop();
      await Promise.all(kept.map(({ over }) => over));
    },
  };
}
