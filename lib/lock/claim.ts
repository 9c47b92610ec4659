import type { Sender } from './sender.js';

/** What is locked, and how: all that a kind of lock decides. */
export interface Way {
  name: string;
  /** The lock's key in Redis. */
  key: string;
  /** Where clients of other libraries announce and await its release. */
  channel: string;
  sender: Sender;
  /** Tells the ways to take one key apart, for entering again. */
  id: string;
  /** Behind the task in the owner: `:write` for a writer, else nothing. */
  suffix: string;
  /** The other way to take the key: in its own write a task reads as the one that writes, a sibling never does. */
  pair?: string;
  /** The way whose hold by the same task would make this one wait for itself. */
  blockedBy?: string;
}

/** Who wants which lock on what terms; an attempt makes it, and a hold keeps it. */
export interface Claim {
  way: Way;
  instance: string;
  /** With the way's suffix: behind the colon of the owner. */
  task: string;
  /** The task was made for this claim: whatever Redis says to it is about this claim. */
  isNewTask: boolean;
  ttlMs: number;
  waitMs: number;
  fair: boolean;
  signal: AbortSignal | undefined;
  businessId: string | null;
}

export const ownerOf = ({ instance, task }: Claim): string => `${instance}:${task}`;
