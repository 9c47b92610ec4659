import type { RedisConnection } from './contract.js';
import { LockError } from './errors.js';
import { checkServer } from './server-check.js';

/** How long the first attempt waits for nodes that do not answer, when others do. */
const PATIENCE_MS = 1000;

/**
 * Which nodes may vote. A node is admitted once it has been checked and is no other's twin: one server named
 * twice would make a majority of one. It is checked anew whenever it connects, since another server may answer
 * at its address by then.
 */
export class Electorate {
  readonly #nodes: readonly RedisConnection[];
  readonly #allowInsecure: boolean;
  /** The run ids of those that may vote. */
  readonly #admitted = new Map<RedisConnection, string | null>();
  readonly #refused: (error: Error) => void;
  #unfollow: (() => void) | null = null;

  /** `refused` is told of a node that came later and may not vote. */
  constructor(options: {
    nodes: readonly RedisConnection[];
    allowInsecure: boolean;
    refused: (error: Error) => void;
  }) {
    this.#nodes = options.nodes;
    this.#allowInsecure = options.allowInsecure;
    this.#refused = options.refused;
  }

  admits(node: RedisConnection): boolean {
    return this.#admitted.has(node);
  }

  /**
   * Checks all nodes. Throws what is wrong with a node that answered (REDIS_TOO_OLD,
   * REDIS_WITHOUT_ACCESS_CONTROL, NODES_NOT_INDEPENDENT), or QUORUM_NOT_REACHED when fewer than a majority did.
   */
  async open(): Promise<void> {
    const needed = Math.floor(this.#nodes.length / 2) + 1;
    const settled = Promise.allSettled(this.#nodes.map((node) => this.#check(node)));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, null);
    });
    const results = await Promise.race([settled, patience]);
    clearTimeout(timer);
    for (const result of results ?? []) {
      if (result.status === 'rejected' && !isAway(result.reason)) throw result.reason;
    }
    this.#follow();
    if (this.#admitted.size >= needed) return;
    throw new LockError(
      'QUORUM_NOT_REACHED',
      `Only ${this.#admitted.size} of ${this.#nodes.length} Redis servers answer; ${needed} have to.`,
      { granted: this.#admitted.size, needed, nodes: this.#nodes.length },
    );
  }

  stop(): void {
    this.#unfollow?.();
    this.#unfollow = null;
  }

  #follow(): void {
    if (this.#unfollow) return;
    const followed = this.#nodes.map((node) => {
      const left = (): void => void this.#admitted.delete(node);
      const came = (): void => void this.#admitLater(node);
      node.on('close', left);
      node.on('ready', came);
      return () => void node.off('close', left).off('ready', came);
    });
    this.#unfollow = () => followed.forEach((unfollow) => unfollow());
  }

  async #admitLater(node: RedisConnection): Promise<void> {
    try {
      await this.#check(node);
    } catch (error) {
      // Away again: it is checked when it comes.
      if (error instanceof Error && !isAway(error)) this.#refused(error);
    }
  }

  async #check(node: RedisConnection): Promise<void> {
    const runId = await checkServer(node, this.#allowInsecure);
    for (const [other, otherRunId] of this.#admitted) {
      if (other === node || runId === null || otherRunId !== runId) continue;
      throw new LockError(
        'NODES_NOT_INDEPENDENT',
        `Two of the nodes are one Redis server (run id ${runId}); a majority needs independent servers.`,
        { runId },
      );
    }
    this.#admitted.set(node, runId);
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof LockError && error.code === 'REDIS_UNREACHABLE';
