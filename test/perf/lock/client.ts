/** Where the Redis under test is, as ioredis takes it. */
export interface Connection {
  host: string;
  port: number;
  password: string;
}

export interface Hold {
  release: () => Promise<unknown>;
  /** Its fencing token, where the client has them. */
  fence?: number;
}

/** A lock client under test: one a process, used by all workers of the process. */
export interface LockTaker {
  /** Waits for as long as it takes. The lease is 30 s. */
  acquire: (name: string) => Promise<Hold>;
  close: () => Promise<unknown> | void;
}

/** The class that sends a client's commands; its `sendCommand` is where they are counted. */
export interface CommandSender {
  prototype: { sendCommand: (...args: unknown[]) => unknown };
}

/** What an adapter exports. `Redis` is the copy of ioredis that the client sends its commands with. */
export interface Adapter {
  Redis: CommandSender;
  open: (connection: Connection) => LockTaker | Promise<LockTaker>;
}

/**
 * Counts every command that any connection of this class sends from now on. Counted in the process that sends,
 * since Redis's own counters include what scripts call, and for every client alike.
 */
export function countCommands({ prototype }: CommandSender): () => number {
  const send = prototype.sendCommand;
  let sent = 0;
  prototype.sendCommand = function counting(this: unknown, ...args: unknown[]): unknown {
    sent++;
    return send.apply(this, args);
  };
  return () => sent;
}
