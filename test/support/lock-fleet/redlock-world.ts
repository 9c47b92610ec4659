import { Redis } from 'ioredis';
import { createLockClient, type LockClient, type LockClientOptions } from '@/lib/lock/index';
import { startRedisProxy, type RedisProxy } from '@/test/support/lock-fleet/redis-proxy';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

/** One node of a Redlock behind a network that can be cut. */
export interface RedlockNode {
  readonly server: TestRedis;
  readonly proxy: RedisProxy;
  /** Looks at the node beside the locks and their network. */
  readonly admin: Redis;
  pause: () => void;
  resume: () => void;
  kill: () => Promise<void>;
  /** On the same port, empty. */
  restart: () => Promise<void>;
  /** From now on its address leads to the other one's server. */
  become: (other: RedlockNode) => void;
}

export interface RedlockWorld {
  nodes: RedlockNode[];
  node: (index: number) => RedlockNode;
  /** A client on connections of its own; closed by `stop`. */
  client: (options?: Omit<LockClientOptions, 'redis' | 'nodes'>) => LockClient;
  stop: () => Promise<void>;
}

function ignoreError(): void {
  // Nodes go away on purpose here.
}

export async function createRedlockWorld(count: number): Promise<RedlockWorld> {
  const nodes = await Promise.all(Array.from({ length: count }, async () => await startNode()));
  const clients: LockClient[] = [];
  const connections: Redis[] = [];
  const node = (index: number): RedlockNode => {
    const found = nodes[index];
    if (!found) throw new Error(`there is no node ${index}`);
    return found;
  };
  return {
    nodes,
    node,
    client: (options = {}) => {
      const own = nodes.map(({ proxy }) => {
        const connection = new Redis({
          port: proxy.port,
          host: '127.0.0.1',
          retryStrategy: () => 100,
        });
        connection.on('error', ignoreError);
        connections.push(connection);
        return connection;
      });
      const client = createLockClient({
        nodes: own,
        allowInsecure: true,
        // A node has a tenth of it to answer in, a second at most.
        ttlMs: 10_000,
        ...options,
      });
      clients.push(client);
      return client;
    },
    stop: async () => {
      for (const each of nodes) each.resume();
      await Promise.all(clients.map(async (client) => await client.close()));
      for (const connection of connections) connection.disconnect();
      await Promise.all(nodes.map(async ({ proxy }) => await proxy.stop()));
      await Promise.all(nodes.map(async ({ server }) => await server.stop()));
    },
  };
}

async function startNode(): Promise<RedlockNode> {
  let server = await startRedis();
  const { port } = server;
  const proxy = await startRedisProxy(port);
  let isPaused = false;
  const admin = server.client({ retryStrategy: () => 100 });
  admin.on('error', ignoreError);
  return {
    get server() {
      return server;
    },
    proxy,
    admin,
    pause: () => {
      isPaused = true;
      process.kill(server.pid, 'SIGSTOP');
    },
    resume: () => {
      if (isPaused) process.kill(server.pid, 'SIGCONT');
      isPaused = false;
    },
    kill: async () => await server.kill(),
    restart: async () => {
      server = await startRedis({ port });
    },
    become: (other) => proxy.leadTo(other.server.port),
  };
}
