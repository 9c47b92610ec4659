// The package's export map hides its own declarations; these are the parts that the demo uses.
declare module 'redlock' {
  import type { Redis } from 'ioredis';

  export interface Lock {
    release: () => Promise<unknown>;
    extend: (durationMs: number) => Promise<Lock>;
  }

  export default class Redlock {
    constructor(
      clients: Iterable<Redis>,
      settings?: { retryCount?: number; retryDelay?: number; retryJitter?: number },
    );
    acquire(resources: string[], durationMs: number): Promise<Lock>;
    on(event: 'error', listener: (error: unknown) => void): void;
  }
}
