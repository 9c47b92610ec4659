import type { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { bundleChild } from '@/test/support/lock-fleet/bundle';
import { startProcess, type FleetProcess } from '@/test/support/lock-fleet/fleet';
import { fenceKey } from '@/test/support/lock-fleet/lock-world';
import type { LoopPlan } from '@/test/support/lock-fleet/messages';
import { createRandom, type Random } from '@/test/support/lock-fleet/random';
import {
  startRedisson,
  type RedissonKind,
  type RedissonPeer,
} from '@/test/support/lock-fleet/redisson-peer';
import {
  createResource,
  type Hold,
  type Record,
  type Resource,
} from '@/test/support/lock-fleet/resource';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

/** Of each kind of Redisson's locks that we share, some: it must not be mixed with another on one name. */
const KINDS = ['plain', 'fair', 'fenced'] as const satisfies readonly RedissonKind[];
type Kind = (typeof KINDS)[number];

export interface MixPlan {
  seed: number;
  /** Ends when so many sections were written, by both sides together, or after `maxMs`. */
  sections: number;
  maxMs: number;
  ours: { processes: number; workers: number };
  theirs: { instances: number; threads: number };
  namesOfEachKind: number;
}

/** One side's calls that had to wait. Times in ms. */
interface Waits {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export interface MixVerdict {
  record: Record;
  /** Sections by side, and of Redisson's by kind. */
  ours: number;
  theirs: { [kind in Kind]: number };
  reentries: number;
  /** Redisson's calls that had to wait for somebody, by kind: each was woken. */
  waits: { [kind in Kind]: Waits };
  /** Processes of ours that ended badly, and how. */
  deaths: string[];
  tookMs: number;
}

/** Shares of Redisson's sections; the rest waits its turn. */
const TRIES = 0.05;
const REENTRIES = 0.15;
/** So long that a wake-up that is missed ends the run instead of hiding in it. */
const LEASE_MS = 120_000;
/** Waits shorter than this may have been none: the call itself takes as long. */
const WAITED_MS = 5;

const nameOf = (kind: Kind, n: number): string => `${kind}-${n}`;

interface Thread {
  peer: RedissonPeer;
  admin: Redis;
  resource: Resource;
  plan: MixPlan;
  keyOf: (name: string) => string;
  process: string;
  actor: string;
  random: Random;
  isEnding: () => boolean;
  tally: Tally;
}

interface Tally {
  sections: { [kind in Kind]: number };
  waits: { [kind in Kind]: number[] };
  reentries: number;
}

const none = <T>(make: () => T): { [kind in Kind]: T } => ({
  plain: make(),
  fair: make(),
  fenced: make(),
});

/** Takes the lock once, or says that it is taken: with RFencedLock's own token, otherwise with the next one. */
async function take(thread: Thread, kind: Kind, key: string): Promise<number | null> {
  const { peer, admin, actor, random, tally } = thread;
  const isTry = random.isBelow(TRIES);
  const from = performance.now();
  let token: number | null = null;
  if (isTry) {
    if (!(await peer.of(kind).tryLock(actor, key))) return null;
  } else if (kind === 'fenced') token = await peer.lockFenced(actor, key);
  else await peer.of(kind).lock(actor, key);
  if (!isTry) tally.waits[kind].push(performance.now() - from);
  // Who asks for no token takes one inside, of the counter that both libraries count on.
  return token ?? (await admin.incr(fenceKey(key)));
}

async function write(thread: Thread, name: string, hold: Hold): Promise<void> {
  const { resource } = thread;
  for (const by of ['enter', 'leave'] as const) {
    const answer = await resource[by](name, hold);
    if (answer !== 'accepted') {
      await resource.accuse(`${hold.id} on ${name}: ${answer} at ${by} with fence ${hold.fence}`);
      return;
    }
  }
}

async function visit(thread: Thread, n: number): Promise<void> {
  const { peer, plan, random, process, actor, tally, resource } = thread;
  const kind = random.pick(KINDS);
  const name = nameOf(kind, random.between(1, plan.namesOfEachKind));
  const key = thread.keyOf(name);
  const worker = `${process}/${actor}`;
  const id = `${worker}#${n}`;
  const locks = peer.of(kind);
  const fence = await take(thread, kind, key);
  if (fence === null) return await resource.count('missed');
  const isReentered = random.isBelow(REENTRIES);
  // A reentry takes a token of its own, so that the section is written with the newest.
  const inner = isReentered ? await enterAgain(thread, kind, key) : fence;
  await write(thread, name, { fence: inner, id, process, worker });
  if (isReentered) await locks.unlock(actor, key);
  await locks.unlock(actor, key);
  tally.sections[kind]++;
  if (isReentered) tally.reentries++;
}

async function enterAgain(
  { peer, admin, actor }: Thread,
  kind: Kind,
  key: string,
): Promise<number> {
  if (kind === 'fenced') return await peer.lockFenced(actor, key);
  await peer.of(kind).lock(actor, key);
  return await admin.incr(fenceKey(key));
}

async function runThread(thread: Thread): Promise<void> {
  for (let n = 1; !thread.isEnding(); n++) await visit(thread, n);
}

const loopOf = ({ ours, namesOfEachKind, seed }: MixPlan, index: number): LoopPlan => ({
  workers: ours.workers,
  names: KINDS.flatMap((kind) =>
    Array.from({ length: namesOfEachKind }, (_, n) => nameOf(kind, n + 1)),
  ),
  seed: seed * 100 + index,
  longHolds: { share: 0.01, maxMs: 10 },
  shares: { impatient: 0.03, aborted: 0.03, tries: 0.05, barging: 0.05, nested: 0.1 },
  waitMs: LEASE_MS,
});

function summed(times: readonly number[]): Waits {
  const waits = times.filter((ms) => ms >= WAITED_MS).sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(waits[Math.max(0, Math.ceil(share * waits.length) - 1)] ?? 0);
  return { count: waits.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function untilDone(plan: MixPlan, resource: Resource): Promise<void> {
  const end = Date.now() + plan.maxMs;
  for (;;) {
    const { sections, accusations } = await resource.read();
    if (sections >= plan.sections || accusations.length > 0 || Date.now() > end) return;
    await pause(100);
  }
}

/** How a process of ours ended after it was asked to, null when well. */
async function endOf(child: FleetProcess): Promise<string | null> {
  await child.ask('close', null);
  const { code, signal, stderr } = await child.ended;
  return code === 0 ? null : `${child.name} ended by ${signal ?? `code ${code}`}: ${stderr}`;
}

interface Grounds {
  plan: MixPlan;
  locks: TestRedis;
  own: TestRedis;
  /** Path of our program. */
  program: string;
  /** Run at the end, the last first. */
  stops: (() => Promise<void>)[];
}

async function startOurs({ plan, locks, own, program, stops }: Grounds): Promise<FleetProcess[]> {
  const children: FleetProcess[] = [];
  for (let n = 0; n < plan.ours.processes; n++) {
    const child = await startProcess(program, {
      process: `ours-${n}`,
      locksPort: locks.port,
      resourcePort: own.port,
      client: { ttlMs: LEASE_MS },
    });
    children.push(child);
    stops.push(child.kill);
  }
  return children;
}

async function startTheirs({ plan, locks, stops }: Grounds): Promise<RedissonPeer[]> {
  const peers: RedissonPeer[] = [];
  for (let n = 0; n < plan.theirs.instances; n++) {
    const peer = await startRedisson(locks.port);
    peers.push(peer);
    stops.push(peer.kill);
  }
  return peers;
}

type Common = Omit<Thread, 'peer' | 'process' | 'actor' | 'random'>;

async function runThreads(peer: RedissonPeer, instance: number, common: Common): Promise<void> {
  const { seed, theirs } = common.plan;
  const threads = Array.from({ length: theirs.threads }, async (_, n) => {
    const random = createRandom(seed * 1000 + instance * 100 + n);
    await runThread({ ...common, peer, random, process: `theirs-${instance}`, actor: `t${n}` });
  });
  await Promise.all(threads);
}

function judge(record: Record, { sections, waits, reentries }: Tally) {
  const { plain, fair, fenced } = waits;
  return {
    record,
    ours: record.sections - sections.plain - sections.fair - sections.fenced,
    theirs: sections,
    reentries,
    waits: { plain: summed(plain), fair: summed(fair), fenced: summed(fenced) },
  };
}

async function mix(grounds: Grounds): Promise<MixVerdict> {
  const { plan, locks, own } = grounds;
  const admin = locks.client();
  const resource = createResource(own.client());
  const { keyOf } = createLockClient({ redis: admin, allowInsecure: true });
  const tally: Tally = { sections: none(() => 0), waits: none(() => []), reentries: 0 };
  const peers = await startTheirs(grounds);
  const children = await startOurs(grounds);
  let isEnding = false;
  const common = { admin, resource, plan, keyOf, tally, isEnding: () => isEnding };
  const startedAt = Date.now();
  const threads = Promise.all(
    peers.map(async (peer, instance) => await runThreads(peer, instance, common)),
  );
  const loops = children.map(async (child, n) => await child.ask('loop', loopOf(plan, n)));
  await Promise.race([Promise.all(loops).then(() => untilDone(plan, resource)), threads]);
  isEnding = true;
  const tookMs = Date.now() - startedAt;
  const ends = await Promise.all(children.map(endOf));
  await threads;
  for (const peer of peers) await peer.stop();
  const deaths = ends.filter((end) => end !== null);
  return { ...judge(await resource.read(), tally), deaths, tookMs };
}

/** Processes of ours and instances of Redisson on the same locks, until the plan is fulfilled. */
export async function mixWithRedisson(plan: MixPlan): Promise<MixVerdict> {
  const [locks, own, bundle] = await Promise.all([
    startRedis(),
    startRedis({ flags: '' }),
    bundleChild('lockscope-child'),
  ]);
  const stops = [bundle.remove, own.stop, locks.stop];
  try {
    return await mix({ plan, locks, own, program: bundle.path, stops });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
