import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a real Redis on this machine. */
export interface RedisProxy {
  port: number;
  /** As a network that swallows packets: both sides hear nothing any more, and no connection ends. */
  partition: () => void;
  /** What was swallowed stays lost: the connections are cut, new ones work. */
  heal: () => void;
  /** Cuts the connections; new ones go to that port. */
  leadTo: (redisPort: number) => void;
  stop: () => Promise<void>;
}

/** `rewrite`: what Redis says, with the first text replaced by the second, which is as long. */
export async function startRedisProxy(
  redisPort: number,
  { rewrite }: { rewrite?: [string, string] } = {},
): Promise<RedisProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let farPort = redisPort;
  let isPartitioned = false;
  const changed = (chunk: Buffer): Buffer =>
    rewrite
      ? Buffer.from(chunk.toString('latin1').replaceAll(rewrite[0], rewrite[1]), 'latin1')
      : chunk;
  const server = createServer((near) => {
    const far = connect(farPort, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.on('data', (chunk: Buffer) => void (isPartitioned || far.write(chunk)));
    far.on('data', (chunk: Buffer) => void (isPartitioned || near.write(changed(chunk))));
    for (const socket of pair) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        if (isPartitioned) return;
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const cutAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    partition: () => {
      isPartitioned = true;
    },
    heal: () => {
      cutAll();
      isPartitioned = false;
    },
    leadTo: (port) => {
      farPort = port;
      cutAll();
    },
    stop: async () => {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
