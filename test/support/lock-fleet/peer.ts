/** A client of another library on the same Redis. An actor is what that library tells apart: a thread, a client id. */
export interface Peer {
  lock: (actor: string, name: string) => Promise<void>;
  tryLock: (actor: string, name: string) => Promise<boolean>;
  unlock: (actor: string, name: string) => Promise<void>;
  stop: () => Promise<void>;
}
