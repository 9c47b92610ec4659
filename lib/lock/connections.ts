import type { LockClientOptions, RedisConnection } from './contract.js';
import { Electorate } from './electorate.js';
import { Inbox, type InboxListener } from './inbox.js';
import { addressOf, Presence, type Group } from './instance.js';
import { checkServer } from './server-check.js';

/** What a client opens at its first attempt and closes at its end: the checks, its ears and its name in Redis. */
export class Connections {
  readonly inboxes: readonly Inbox[];
  readonly electorate: Electorate;
  readonly #nodes: readonly RedisConnection[];
  readonly #allowInsecure: boolean;
  readonly #presences: readonly Presence[];
  readonly #cuts = new Map<RedisConnection, number>();
  readonly #unwatch: (() => void)[] = [];
  #opening: Promise<void> | null = null;
  #isOpen = false;
  #isClosed = false;

  /** `refused` is told of a node of a Redlock that may not vote. */
  constructor(options: {
    nodes: readonly RedisConnection[];
    instance: string;
    client: LockClientOptions;
    listener: InboxListener;
    refused: (error: Error) => void;
  }) {
    const { nodes, instance, client, listener, refused } = options;
    this.#nodes = nodes;
    this.#allowInsecure = client.allowInsecure ?? false;
    this.inboxes = nodes.map((node) => new Inbox(node, instance, listener));
    const group = nodes.length > 1 ? (): Group => this.#group() : null;
    this.#presences = nodes.map(
      (redis) => new Presence({ redis, instance, app: client.app, group }),
    );
    this.electorate = new Electorate({ nodes, allowInsecure: this.#allowInsecure, refused });
    for (const node of nodes) this.#watchCuts(node);
  }

  #group(): Group {
    const silent = this.#nodes.filter((node) => !this.electorate.admits(node));
    return { nodes: this.#nodes.map(addressOf), silent: silent.map(addressOf) };
  }

  #watchCuts(node: RedisConnection): void {
    const count = (): void => void this.#cuts.set(node, this.cutsOf(node) + 1);
    node.on('close', count);
    this.#unwatch.push(() => node.off('close', count));
  }

  /** How often a node's connection has been cut: what was under way then may have reached Redis twice. */
  cutsOf(node: RedisConnection): number {
    return this.#cuts.get(node) ?? 0;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws what is wrong with the server; tried anew by the next attempt. */
  open(): Promise<void> {
    this.#opening ??= this.#start().finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #start(): Promise<void> {
    const [only] = this.#nodes;
    const isAlone = this.#nodes.length === 1;
    if (only && isAlone) await checkServer(only, this.#allowInsecure);
    else await this.electorate.open();
    await Promise.all(this.inboxes.map((inbox) => inbox.start(!isAlone)));
    if (this.#isClosed) return;
    for (const presence of this.#presences) presence.start();
    this.#isOpen = true;
  }

  /** Takes the client's name out of Redis; `stopListening` comes after what still waits for answers. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    if (this.#isOpen) await Promise.all(this.#presences.map((presence) => presence.stop()));
  }

  stopListening(): void {
    this.electorate.stop();
    for (const inbox of this.inboxes) inbox.stop();
    for (const unwatch of this.#unwatch) unwatch();
  }
}
