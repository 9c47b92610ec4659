import { stableHash } from '@/lib/analysis/stable-hash';
import { chainsOf, type Chain, type ChainLink } from '@/lib/analysis/wait-chains';
import { sentence } from '@/lib/messages/sentence';
import type { WaitChain } from '@/lib/protocol/deadlock';
import type { Sentence } from '@/lib/protocol/sentence';
import type { LockRecord } from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import { isRenewed } from './deadlock-steps';
import type { Holding, Waiting, WaitMap } from './deadlock-waits';
import type { Finding } from './finding';
import {
  LISTED_LOCKS,
  alertLock,
  clip,
  keyName,
  locksSubject,
  lockSubject,
  nameOf,
} from './subject';
import { thresholdOf } from './thresholds';

/** A queue for one lock is what locks are for; beyond it one owner stops work that has nothing to do with it. */
const LEAST_DEPTH = 2;
const LASTS_MS = 10_000;
const TOLD = 50;
const LISTED_CHAINS = 100;
const LISTED_WAITS = 500;

export interface BlockingChainAnalyser extends Analyser {
  /** All trees of waits of the last pass, those with most owners first; 100 at most. */
  chains: (now: number) => WaitChain[];
}

interface Rooted {
  lock: LockRecord;
  holding: Holding;
}

const idOf = ({ root, locks }: Chain): string =>
  stableHash(JSON.stringify([root, ...locks.toSorted()]));

const holdsOf = ({ root, locks }: Chain, waits: WaitMap): Rooted[] =>
  locks.flatMap((name) => {
    const awaited = waits.get(name);
    const holding = awaited?.holdings.find(({ task }) => task === root);
    return awaited && holding ? [{ lock: awaited.lock, holding }] : [];
  });

const waitingOf = ({ lock, owner }: ChainLink, waits: WaitMap): Waiting | undefined =>
  waits.get(lock)?.waits.find(({ task }) => task === owner);

function deadlineOf({ hold, deadline }: Holding, now: number) {
  const renewed = hold !== null && isRenewed(hold, now);
  return { deadline: renewed ? null : deadline, renewed };
}

const appOf = (one: Waiting | Holding | undefined) => one?.owner?.app ?? null;

function oldestOf({ links }: Chain, waits: WaitMap): number | null {
  let oldest: number | null = null;
  for (const link of links) {
    const since = waitingOf(link, waits)?.since ?? null;
    if (since !== null && (oldest === null || since < oldest)) oldest = since;
  }
  return oldest;
}

function waitOf(link: ChainLink, waits: WaitMap): WaitChain['waits'] {
  const awaited = waits.get(link.lock);
  const waiting = waitingOf(link, waits);
  if (!awaited || !waiting) return [];
  const app = appOf(waiting);
  return [
    {
      owner: link.owner,
      ...(app !== null && { ownerApp: app }),
      lock: alertLock(awaited.lock),
      since: waiting.since,
      evidence: waiting.isQueued ? 'observed' : 'inferred',
      behind: link.behind,
      depth: link.depth,
    },
  ];
}

function toWaitChain(chain: Chain, waits: WaitMap, now: number): WaitChain {
  const holds = holdsOf(chain, waits);
  const app = appOf(holds[0]?.holding);
  return {
    id: idOf(chain),
    root: chain.root,
    ...(app !== null && { rootApp: app }),
    holds: holds.map(({ lock, holding }) => ({
      ...alertLock(lock),
      since: holding.hold?.since ?? null,
      ...deadlineOf(holding, now),
    })),
    waits: chain.links.slice(0, LISTED_WAITS).flatMap((link) => waitOf(link, waits)),
    blocked: chain.links.length,
    depth: chain.depth,
    since: oldestOf(chain, waits),
    evidence: 'observed',
  };
}

function remedyOf(holds: readonly Rooted[], blocked: number, now: number): Sentence[] {
  const [first] = holds;
  if (!first) return [];
  const key = keyName(first.lock.key);
  const { deadline } = deadlineOf(first.holding, now);
  return [
    sentence('blocking-chain:root', {}),
    deadline === null
      ? sentence('blocking-chain:endless', { key, count: blocked })
      : sentence('blocking-chain:ends', { key, count: blocked, endsAt: deadline }),
  ];
}

function findingOf(chain: Chain, waits: WaitMap, { since, now }: { since: number; now: number }) {
  const holds = holdsOf(chain, waits);
  const [first] = holds;
  if (!first) return [];
  const owner = first.holding.owner ? nameOf(first.holding.owner) : clip(chain.root);
  const blocked = chain.links.length;
  const oldestMs = now - (oldestOf(chain, waits) ?? since);
  const values = { owner, count: blocked, depth: chain.depth, oldestMs };
  const finding: Finding = {
    id: `blocking-chain:${idOf(chain)}`,
    code: 'blocking-chain',
    severity: 'warning',
    subject:
      holds.length === 1
        ? lockSubject(first.lock)
        : locksSubject(
            holds.map(({ lock }) => keyName(lock.key)).join(', '),
            holds.slice(0, LISTED_LOCKS).map(({ lock }) => alertLock(lock)),
          ),
    summary: [sentence('blocking-chain:holds-up', values)],
    remedy: remedyOf(holds, blocked, now),
    since,
    count: blocked,
    evidence: 'observed',
    moment: false,
  };
  return [finding];
}

/**
 * An owner that waits for nobody and holds up many, also such as wait for other locks than its own. `waits` are those
 * of the same pass.
 */
export function createBlockingChain({ waits }: { waits: () => WaitMap }): BlockingChainAnalyser {
  let since = new Map<string, number>();

  const isTold = (chain: Chain, view: View): boolean => {
    const [lock] = holdsOf(chain, waits());
    const least = thresholdOf(view, 'blocking-chain', lock?.lock ?? null);
    return chain.depth >= LEAST_DEPTH && chain.links.length >= least;
  };

  return {
    needs: 'table',
    findings: (view) => {
      const { now } = view;
      const all = waits().mayBeStuck ? chainsOf(waits().requests()) : [];
      const before = since;
      since = new Map();
      const found: Finding[] = [];
      for (const chain of all.filter((one) => isTold(one, view)).slice(0, TOLD)) {
        const id = idOf(chain);
        const from = before.get(id) ?? now;
        since.set(id, from);
        if (now - from < LASTS_MS) continue;
        found.push(...findingOf(chain, waits(), { since: from, now }));
      }
      return found;
    },
    chains: (now) =>
      chainsOf(waits().requests())
        .slice(0, LISTED_CHAINS)
        .map((chain) => toWaitChain(chain, waits(), now)),
  };
}
