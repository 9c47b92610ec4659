import { Redis } from 'ioredis';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { createCrowd, type Crowd, type Visitor } from '@/test/support/lock-fleet/crowd';
import type { CrowdSettings } from '@/test/support/lock-fleet/crowd-fleet';
import { createRandom, type Random } from '@/test/support/lock-fleet/random';
import { pause } from '@/test/support/pause';

interface Scene {
  client: LockClient;
  crowd: Crowd;
  random: Random;
  who: Visitor;
}

const WAIT = { waitMs: 30_000 };

async function visit(scene: Scene, place: string, limits: { [place: string]: number }) {
  await scene.crowd.enter(place, scene.who, limits);
  await pause(scene.random.between(0, 3));
  await scene.crowd.leave(place, scene.who);
}

const WAYS: { [W in CrowdSettings['way']]: (scene: Scene) => Promise<void> } = {
  semaphore: async (scene) => {
    await scene.client.semaphore('s', 3).using(WAIT, async () => {
      await visit(scene, 's', { s: 2 });
    });
  },
  readWrite: async (scene) => {
    const { read, write } = scene.client.readWrite('rw');
    if (scene.random.isBelow(0.25)) {
      await write.using(WAIT, async () => await visit(scene, 'write', { write: 0, read: 0 }));
    } else {
      await read.using(WAIT, async () => await visit(scene, 'read', { write: 0 }));
    }
  },
  multi: async (scene) => {
    const { random } = scene;
    const names = ['a', 'b', 'c', 'd'].filter(() => random.isBelow(0.6));
    if (names.length === 0) return;
    const order = random.isBelow(0.5) ? names : names.toReversed();
    await scene.client.multi(order).using(WAIT, async () => {
      await Promise.all(names.map(async (name) => await visit(scene, name, { [name]: 0 })));
    });
  },
};

async function run(settings: CrowdSettings): Promise<void> {
  const { process: name, locksPort, crowdPort, ttlMs, seed, way } = settings;
  const redis = new Redis({ port: locksPort, host: '127.0.0.1' });
  const own = new Redis({ port: crowdPort, host: '127.0.0.1' });
  const crowd = createCrowd(own);
  const client = createLockClient({ redis, allowInsecure: true, ttlMs });
  let isEnding = false;
  process.once('message', () => (isEnding = true));
  const workers = Array.from({ length: settings.workers }, async (_, worker) => {
    const random = createRandom(seed * 100 + worker);
    for (let n = 1; !isEnding; n++) {
      const who = { id: `${worker}#${n}`, process: name };
      try {
        await WAYS[way]({ client, crowd, random, who });
      } catch (error) {
        await crowd.accuse(`${name}/${who.id}: ${String(error)}`);
      }
    }
  });
  await Promise.all(workers);
  await client.close();
  redis.disconnect();
  own.disconnect();
  process.disconnect();
}

// fork() of crowd-fleet.ts writes what it is typed to.
void run(JSON.parse(process.argv[2] ?? '{}') as CrowdSettings);
