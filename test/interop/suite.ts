import { afterAll, describe, it } from 'vitest';
import type { LibrarySpec } from '@/test/interop/library-spec';
import { writeResult } from '@/test/interop/results';
import { endsByItself, isHeld, isLeft, isRenewed, isReentered } from '@/test/interop/story/held';
import { isReleasedByForce, refusesRelease, tellsItsHolder } from '@/test/interop/story/released';
import { isShared } from '@/test/interop/story/shared';
import { isWaitedFor, wakesAtOnce } from '@/test/interop/story/waited-for';
import { createScene, type Found, type Scene } from '@/test/interop/teller';
import type { InteropWorld } from '@/test/interop/world';

interface Part {
  name: string;
  tell: (scene: Scene) => Promise<void>;
  timeoutMs?: number;
}

/** The parts of the story that this library can play. */
function partsOf(spec: LibrarySpec): Part[] {
  const parts: Part[] = [{ name: 'is shown as its client holds it', tell: isHeld }];
  if (spec.isReentrant)
    parts.push({ name: 'is entered again and left by one level', tell: isReentered });
  if (spec.renews || spec.extends)
    parts.push({ name: 'is renewed and stays one hold', tell: isRenewed });
  if (spec.shared) parts.push({ name: 'is held by two, of whom one is taken out', tell: isShared });
  if (spec.waits) parts.push({ name: 'is waited for, released and handed on', tell: isWaitedFor });
  else parts.push({ name: 'ends as released', tell: isLeft });
  if (spec.lapseMs !== null) parts.push({ name: 'ends with its lease', tell: endsByItself });
  if (spec.release?.isRefused)
    parts.push({ name: 'is not released by the console', tell: refusesRelease });
  else parts.push({ name: 'is released by force, and goes to the next', tell: isReleasedByForce });
  if (spec.release?.tells) {
    parts.push({ name: 'tells its holder of a release by force', tell: tellsItsHolder });
  }
  return parts;
}

/**
 * The story of one library (README.md), a test a part. Parts of all libraries of a file run beside each other,
 * each on a lock of its own; how long wake-ups take is measured after them, alone.
 */
export function describeLibrary(world: InteropWorld, spec: LibrarySpec): void {
  const told: string[] = [];
  const failed: string[] = [];
  let skipped: string | null = null;
  const found: Found = { waiters: null, oldHolder: [], cameBack: null, wake: undefined };

  const test = ({ name, tell, timeoutMs = 180_000 }: Part, n: number): void => {
    it(name, { timeout: timeoutMs }, async ({ skip }) => {
      const because = world.peer.ready.unavailable[spec.library];
      if (because !== undefined) {
        skipped = because;
        skip(because);
      }
      const lockName = spec.nameOf?.(`${n}`) ?? `it:${spec.library}:${n}`;
      failed.push(name);
      await tell(createScene({ spec, world, name: lockName, found }));
      failed.splice(failed.indexOf(name), 1);
      told.push(name);
    });
  };

  describe(spec.title, () => {
    const parts = partsOf(spec);
    describe.concurrent('a lock', () => parts.forEach(test));
    if (spec.wakes) {
      const wake = {
        name: 'its waiters are woken by a release',
        tell: wakesAtOnce,
        timeoutMs: 400_000,
      };
      describe('then', () => test(wake, parts.length));
    }
    afterAll(() => {
      const installed = world.peer.ready.libraries[spec.library];
      const outcome = failed.length > 0 ? 'failed' : skipped === null ? 'ran' : 'skipped';
      writeResult({
        ecosystem: world.ecosystem.id,
        library: spec.library,
        title: spec.title,
        package: installed?.package ?? null,
        version: installed?.version ?? null,
        redis: world.redisVersion,
        outcome,
        because: failed.length > 0 ? failed.join('; ') : skipped,
        parts: told,
        waiters: found.waiters,
        oldHolder: found.oldHolder.join('; ') || null,
        cameBack: found.cameBack,
        ...(found.wake && { wake: found.wake }),
        notes: spec.notes ?? [],
      });
    });
  });
}
