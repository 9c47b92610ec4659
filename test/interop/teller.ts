import { expect } from 'vitest';
import type { LockDetail } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import type { LibrarySpec } from '@/test/interop/library-spec';
import type { Answered, PeerClient } from '@/test/interop/peer-process';
import type { PeerOptions } from '@/test/interop/protocol';
import type { LibraryResult } from '@/test/interop/results';
import type { InteropWorld } from '@/test/interop/world';

export interface Found {
  /** What the console said of one waiting client. */
  waiters: string | null;
  /** What the old holder was told at its own release, and what without asking. */
  oldHolder: string[];
  cameBack: boolean | null;
  wake: LibraryResult['wake'];
}

/** One lock of one library in one part of its story. */
export interface Scene {
  spec: LibrarySpec;
  world: InteropWorld;
  /** As the application names it, and the key that makes. */
  name: string;
  key: string;
  db: number;
  a: PeerClient;
  b: PeerClient;
  /** What the summary tells of it besides. */
  found: Found;
  /** `acquire` by `a` or `b` with the spec's options, and more. */
  acquire: (client: PeerClient, more?: PeerOptions) => Promise<Answered>;
  release: (client: PeerClient) => Promise<Answered>;
  detail: () => Promise<LockDetail | undefined>;
  /** Waits until the lock's page satisfies; fails with what it last said. */
  until: (what: string, isSo: (lock: LockDetail) => boolean) => Promise<LockDetail>;
  /** Whether the console names whom this answer names. */
  isOwner: (id: string, answered: Answered, client: string) => boolean;
  /** Waits until it does. */
  heldBy: (answered: Answered, client: string) => Promise<LockDetail>;
}

export type SceneParts = Pick<Scene, 'spec' | 'world' | 'name' | 'found'>;

export function createScene({ spec, world, name, found }: SceneParts): Scene {
  const { db = 0 } = spec;
  const key = spec.keyOf?.(name) ?? name;
  const detail = async (): Promise<LockDetail | undefined> => await world.console.detail(key, db);
  const untilSo: Scene['until'] = async (what, isSo) => {
    let last: LockDetail | undefined;
    return await until(`${key}: ${what}`, async () => {
      last = await detail();
      return last && isSo(last) ? last : undefined;
    }).catch((error: unknown) => {
      throw new Error(
        `${String(error)}\nlast seen: ${JSON.stringify(last && { ...last, commands: [] })}`,
      );
    });
  };
  const isOwner: Scene['isOwner'] = (id, { value }, client) => {
    const owner = spec.ownerOf?.(client, value.owner ?? null) ?? value.owner ?? null;
    if (owner === null) return id !== '';
    return owner instanceof RegExp ? owner.test(id) : owner === id;
  };
  return {
    spec,
    world,
    name,
    key,
    db,
    found,
    a: world.peer.client(spec.library, 'a'),
    b: world.peer.client(spec.library, 'b'),
    acquire: (client, more = {}) =>
      client.ask('acquire', name, { leaseMs: spec.leaseMs, ...spec.options, ...more }),
    release: (client) => client.ask('release', name, { ...spec.options }),
    detail,
    until: untilSo,
    isOwner,
    heldBy: async (answered, client) =>
      await untilSo(
        `held by ${client} (${answered.value.owner})`,
        ({ hold, state }) =>
          state === 'held' && hold !== null && isOwner(hold.owner.id, answered, client),
      ),
  };
}

/** Two clocks, one machine: how far the console's may be from a client's that was told later. */
const CLOCK_MS = 2_500;

/** That the console dates something as the client does. */
export function expectSameMoment(what: string, seen: number, told: number): void {
  expect(Math.abs(seen - told), `${what}: seen at ${seen}, told at ${told}`).toBeLessThan(CLOCK_MS);
}
