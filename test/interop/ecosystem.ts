/** A language's libraries: one program that locks with each of them as it is told (`protocol.ts`). */
export interface Ecosystem {
  id: 'node' | 'java' | 'python' | 'go';
  /** Program and arguments of a peer on that Redis of 127.0.0.1. It ends when its stdin does. */
  command: (port: number) => { program: string; args: readonly string[]; cwd?: string };
  /** How long it may take until its `ready` line. */
  readyWithinMs: number;
}
