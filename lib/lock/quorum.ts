import { LockError } from './errors.js';
import { IGNORED, type Operation, type OperationCode, type Sender } from './sender.js';

/** A node that has not answered by then counts as silent; the lease goes on meanwhile. */
const nodePatienceMs = (ttlMs: number): number => Math.min(1000, Math.max(200, ttlMs / 10));
/** After a split vote the contenders ask again at different moments. */
const SPLIT_JITTER_MS = 40;

/** One node and whether it may vote now. */
export interface Voter {
  sender: Sender;
  votes: () => boolean;
}

interface Answer {
  status: number;
  value: number | string;
}

/**
 * Redlock (redis.io/docs/latest/develop/use/patterns/distributed-locks): an operation goes to all nodes at
 * once and counts when a majority did it. A lock that a majority did not grant is given back on all of them.
 * The lease of a grant counts from before the first node was asked, which takes the elapsed time off it.
 *
 * Nodes count their fencing tokens apart, so the greatest that was granted is written to a majority before the
 * lock is anybody's: any two majorities share a node, and the next token is greater.
 *
 * Waiters stand in the queue of every node, where they can be seen; the order there is no promise, since three
 * queues may disagree. A release wakes the heads, who ask anew.
 */
export class Quorum implements Sender {
  readonly #nodes: readonly Voter[];
  readonly #needed: number;
  readonly #asking = new Set<string>();

  /** A node that `votes` denies counts as silent. */
  constructor(nodes: readonly Voter[]) {
    this.#nodes = nodes;
    this.#needed = Math.floor(nodes.length / 2) + 1;
  }

  add(
    operation: Operation,
    code: OperationCode,
    key: string,
    task: string,
    ttlMs: number,
    extra: string,
  ): void {
    const ask = { code: ON_NODES[code] ?? code, key, task, ttlMs, extra };
    if (code === 'x' || code === 'l') {
      for (const node of this.#nodes) send(node, ask, operation);
    } else if (ask.code === 'W' || ask.code === 'T') {
      this.#acquireOnce(operation, ask);
    } else {
      void this.#agree(ask).then(({ yes, no }) => {
        if (yes.length >= this.#needed) operation.answered(1, 0);
        else if (yes.length + no.length >= this.#needed) operation.answered(0, 0);
        else operation.failed(this.#tooFew(key, yes.length));
      });
    }
  }

  /** A second round beside a first would be undone by its giving back. */
  #acquireOnce(operation: Operation, ask: Ask): void {
    const id = `${ask.task} ${ask.key}`;
    if (this.#asking.has(id)) {
      operation.answered(0, '-1 ');
      return;
    }
    this.#asking.add(id);
    void this.#acquire(operation, ask).finally(() => this.#asking.delete(id));
  }

  async #acquire(operation: Operation, ask: Ask): Promise<void> {
    const { yes, no, failed } = await this.#agree(ask);
    if (yes.length >= this.#needed) {
      const token = Math.max(...yes.map(({ value }) => Number(value)));
      const raised = await this.#agree({ ...ask, code: 'f', extra: `${token}` });
      if (raised.yes.length >= this.#needed) {
        operation.answered(1, token);
        return;
      }
    }
    this.#giveBack(ask);
    if (yes.length + no.length < this.#needed) {
      operation.failed(failed ?? this.#tooFew(ask.key, yes.length));
      return;
    }
    operation.answered(0, yes.length > 0 ? splitVote(no) : longest(no));
  }

  #giveBack(ask: Ask): void {
    for (const node of this.#nodes) send(node, { ...ask, code: 'R', extra: '' }, IGNORED);
  }

  /** Resolves as soon as the outcome is settled: a majority did it, refused it, or is silent. */
  #agree(ask: Ask): Promise<Outcome> {
    return new Promise((resolve) => {
      const yes: Answer[] = [];
      const no: Answer[] = [];
      let silent = 0;
      let failed: LockError | null = null;
      const settle = (): void => {
        const isOpen = yes.length + no.length + silent < this.#nodes.length;
        if (isOpen && Math.max(yes.length, no.length, silent) < this.#needed) return;
        clearTimeout(patience);
        resolve({ yes: [...yes], no: [...no], failed });
      };
      const patience = setTimeout(() => {
        silent = this.#nodes.length - yes.length - no.length;
        settle();
      }, nodePatienceMs(ask.ttlMs));
      const answer: Operation = {
        answered: (status, value) => {
          (status === 1 ? yes : no).push({ status, value });
          settle();
        },
        failed: (error) => {
          silent += 1;
          if (error instanceof LockError && error.code !== 'REDIS_UNREACHABLE') failed = error;
          settle();
        },
      };
      for (const node of this.#nodes) send(node, ask, answer);
    });
  }

  #tooFew(key: string, granted: number): LockError {
    const nodes = this.#nodes.length;
    return new LockError(
      'QUORUM_NOT_REACHED',
      `Too few of the ${nodes} Redis servers answered for ${key}: ${this.#needed} have to.`,
      { key, granted, needed: this.#needed, nodes },
    );
  }
}

interface Outcome {
  yes: Answer[];
  no: Answer[];
  /** What a node said that is no mere silence: a missing permission, another type. */
  failed: LockError | null;
}

interface Ask {
  code: OperationCode;
  key: string;
  task: string;
  ttlMs: number;
  extra: string;
}

/** A queue cannot decide among nodes, so nobody is handed a lock: waiters barge, and releases leave it free. */
const ON_NODES: Partial<Record<OperationCode, OperationCode>> = {
  t: 'T',
  w: 'W',
  b: 'W',
  r: 'R',
};

function send(node: Voter, ask: Ask, operation: Operation): void {
  if (!node.votes()) {
    operation.failed(new LockError('REDIS_UNREACHABLE', 'This node has not been checked yet.'));
    return;
  }
  node.sender.add(operation, ask.code, ask.key, ask.task, ask.ttlMs, ask.extra);
}

/** The refusal that says longest how long the lock is held. */
function longest(refusals: Answer[]): string {
  const texts = refusals.map(({ value }) => `${value}`);
  return texts.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))[0] ?? '-1 ';
}

function splitVote(refusals: Answer[]): string {
  const [, ...rest] = longest(refusals).split(' ');
  return `${1 + Math.floor(Math.random() * SPLIT_JITTER_MS)} ${rest.join(' ')}`;
}
