import { said } from '@/lib/messages/in-english';
import { randomBytes } from 'node:crypto';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import { formatTable } from '@/lib/formats';
import { createCommandConnections } from '@/server/redis/command-connections';
import { capabilitiesOf, idleChannels, nodeStatus, unwatchedDbs } from './node-status';
import { NodeWatch } from './node-watch';
import type { Observation } from './observation';
import { refreshConfig, createServerFacts } from './server-facts';
import { missingRules, nodeWarnings } from './warnings';
import type { Watch, WatchFactory } from './watch-contract';

/** Redis's own default, used where CONFIG is forbidden. */
const DEFAULT_DATABASES = 16;
const DEFAULT_ID = 'redis';
/** Where nobody sets another. */
const IDLE_MS = 10 * 60_000;

/** Watches one standalone Redis. Throws INVALID_INPUT for the modes that do not exist yet. */
export const createWatch: WatchFactory = (options) => {
  if (options.mode !== 'standalone') {
    throw new CodedError(
      'INVALID_INPUT',
      `Redis mode "${options.mode}" is not supported yet; set the mode to "standalone" and give the address of a primary.`,
    );
  }
  let commands = createCommandConnections(options.url);
  let listener: (observations: readonly Observation[]) => void = () => undefined;
  let probes: Parameters<Watch['setProbes']>[0] = () => [];
  let question: Parameters<Watch['setClientQuestion']>[0] = () => null;
  let jobs: Parameters<Watch['setJobs']>[0] = () => [];
  let idleAfterMs: Parameters<Watch['setIdleAfter']>[0] = () => IDLE_MS;
  let reconcile: Parameters<Watch['setReconcile']>[0] = () => [];
  let node: NodeWatch | null = null;
  let dbs: readonly number[] = options.dbs === 'all' ? [options.db] : options.dbs;
  let stopped = false;
  const formats = options.formats ?? formatTable;
  let patterns = options.patterns;
  const watched = (): Bytes[] =>
    options.everything
      ? ['*']
      : [...new Set([...formats.watchedPrefixes.map((prefix) => `${prefix}*`), ...patterns])];

  const createNode = (): NodeWatch =>
    new NodeWatch({
      url: options.url,
      dbs,
      patterns,
      everything: options.everything,
      allowInsecureRedis: options.allowInsecureRedis,
      formats,
      canaryId: randomBytes(6).toString('hex'),
      now: options.now,
      commands,
      deliver: (observations) => listener(observations),
      probes: () => probes(),
      question: () => question(),
      jobs: () => jobs(),
      idleAfterMs: () => idleAfterMs(),
      reconcile: (limit) => reconcile(limit),
    });

  const allDbs = async (): Promise<number[]> => {
    const facts = createServerFacts();
    await refreshConfig(facts, await commands.of(options.db));
    return Array.from({ length: facts.databases ?? DEFAULT_DATABASES }, (_, db) => db);
  };

  /** Opens each db: one that may not be selected is told of later, one that is not there ends the start. */
  const requireDbs = async (wanted: readonly number[]): Promise<void> => {
    for (const db of wanted) {
      try {
        await commands.of(db);
      } catch (error) {
        if (!isCodedError(error) || error.details?.['noSuchDb'] !== true) throw error;
        throw new CodedError('TARGET_UNAVAILABLE', error.message, { db });
      }
    }
  };

  const unavailable = (): CodedError =>
    new CodedError('TARGET_UNAVAILABLE', said('unreachable:not-watching', {}));

  return {
    start: async () => {
      if (stopped) throw unavailable();
      if (node) return;
      try {
        if (options.dbs === 'all') dbs = await allDbs();
        else await requireDbs(options.dbs);
        node = createNode();
        await node.start();
      } catch (error) {
        node = null;
        await commands.close();
        // So that a later start may succeed.
        if (!stopped) commands = createCommandConnections(options.url);
        throw error;
      }
    },
    stop: async () => {
      stopped = true;
      await node?.stop();
      await commands.close();
    },
    onObservations: (next) => {
      listener = next;
    },
    read: (refs, cause) => {
      for (const ref of refs) node?.read(ref, cause);
    },
    readNow: async (ref) => {
      if (!node) throw unavailable();
      return await node.readNow(ref);
    },
    setPatterns: (next) => {
      patterns = next;
      node?.setPatterns(next);
    },
    setProbes: (next) => {
      probes = next;
    },
    setClientQuestion: (next) => {
      question = next;
    },
    setJobs: (next) => {
      jobs = next;
    },
    setIdleAfter: (next) => {
      idleAfterMs = next;
    },
    setReconcile: (next) => {
      reconcile = next;
    },
    status: () => {
      const state = node?.state();
      return {
        id: options.id ?? DEFAULT_ID,
        mode: 'standalone',
        dbs: [...dbs],
        watch: watched().map(printable),
        nodes: state ? [nodeStatus(state)] : [],
        capabilities: state ? capabilitiesOf(state) : createServerFacts().capabilities,
        missingRules: state ? missingRules(state) : [],
        unwatchedDbs: state ? unwatchedDbs(state) : [],
        warnings: state ? nodeWarnings(state) : [],
        ...(state?.roundTrip && { roundTrip: state.roundTrip }),
        ...(state && { probes: [...state.probes] }),
        ...(state && idleChannels(state)),
      };
    },
    get blindSince() {
      return node?.blindSince ?? null;
    },
    get ready() {
      return node?.ready ?? false;
    },
    commandConnection: async (db) => await commands.of(db),
  };
};
