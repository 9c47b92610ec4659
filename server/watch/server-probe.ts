import type { Redis } from 'ioredis';
import type { CommandConnections } from '@/server/redis/command-connections';
import { answersWithoutPassword, hasPassword } from '@/server/redis/connection-options';
import {
  eventBacklog,
  probePubsub,
  refreshConfig,
  refreshInfo,
  refreshReplicas,
  type ServerFacts,
} from './server-facts';

/** Asks the server about itself, over the command connection. */
export interface ServerProbe {
  command: () => Promise<Redis>;
  /** Id of the event connection on the server, once known. */
  clientId: number | null;
  /** What Redis held back for the event connection when last asked, in bytes. */
  backlogBytes: number;
  /** Whether anybody gets in without a password. */
  readonly isInsecure: boolean;
  checkBacklog: () => Promise<void>;
  /** What the replicas would announce. */
  askReplicas: () => Promise<void>;
  /** Everything once, so that the first status already says what is forbidden. */
  all: () => Promise<void>;
}

export function createServerProbe(options: {
  url: string;
  db: number;
  allowInsecureRedis: boolean;
  commands: CommandConnections;
  facts: ServerFacts;
}): ServerProbe {
  const { url, facts } = options;
  let isInsecure = false;
  const probe: ServerProbe = {
    command: async () => await options.commands.of(options.db),
    clientId: null,
    backlogBytes: 0,
    get isInsecure() {
      return isInsecure;
    },
    checkBacklog: async () => {
      if (probe.clientId === null) return;
      const bytes = await eventBacklog(facts, await probe.command(), probe.clientId);
      probe.backlogBytes = bytes ?? 0;
    },
    askReplicas: async () => await refreshReplicas(facts, url),
    all: async () => {
      const redis = await probe.command();
      await refreshInfo(facts, redis);
      await refreshConfig(facts, redis);
      await probePubsub(facts, redis);
      await probe.checkBacklog();
      if (options.allowInsecureRedis) return;
      isInsecure = !hasPassword(url) || (await answersWithoutPassword(url));
    },
  };
  return probe;
}
