import type { RedisConnection } from './contract.js';
import { LockError } from './errors.js';
import { checkServer } from './server-check.js';

/** How long the first attempt waits for nodes that do not answer, when others do. */
const PATIENCE_MS = 1000;

/**
 * Which nodes may vote. A node is admitted once it has been checked and is no other's twin: one server named
 * twice would make a majority of one. A node that is away is checked when it comes.
 */
export class Electorate {
  readonly #nodes: readonly RedisConnection[];
  readonly #allowInsecure: boolean;
  readonly #runIds = new Map<string, RedisConnection>();
  readonly #admitted = new Set<RedisConnection>();
  readonly #refused: (error: Error) => void;

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
    const checks = this.#nodes.map((node) => this.#check(node));
    const settled = Promise.allSettled(checks);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, null);
    });
    const results = await Promise.race([settled, patience]);
    clearTimeout(timer);
    for (const result of results ?? []) {
      if (result.status === 'rejected' && !isAway(result.reason)) throw result.reason;
    }
    this.#nodes.forEach((node, i) => void this.#admitLater(node, checks[i]));
    if (this.#admitted.size >= needed) return;
    throw new LockError(
      'QUORUM_NOT_REACHED',
      `Only ${this.#admitted.size} of ${this.#nodes.length} Redis servers answer; ${needed} have to.`,
      { granted: this.#admitted.size, needed, nodes: this.#nodes.length },
    );
  }

  async #admitLater(node: RedisConnection, check: Promise<void> | undefined): Promise<void> {
    try {
      await check;
    } catch (error) {
      if (isAway(error)) {
        node.once('ready', () => void this.#admitLater(node, this.#check(node)));
      } else if (error instanceof Error) {
        this.#refused(error);
      }
    }
  }

  async #check(node: RedisConnection): Promise<void> {
    const runId = await checkServer(node, this.#allowInsecure);
    const twin = runId === null ? undefined : this.#runIds.get(runId);
    if (twin && twin !== node) {
      throw new LockError(
        'NODES_NOT_INDEPENDENT',
        `Two of the nodes are one Redis server (run id ${runId}); a majority needs independent servers.`,
        { runId },
      );
    }
    if (runId !== null) this.#runIds.set(runId, node);
    this.#admitted.add(node);
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof LockError && error.code === 'REDIS_UNREACHABLE';
