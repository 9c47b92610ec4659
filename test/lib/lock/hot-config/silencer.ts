import { connect, createServer, type Socket } from 'node:net';

/** Stands before a Redis and can make the connections that exist mute, as a firewall that forgot them. */
export interface Silencer {
  port: number;
  /** Connections so far. */
  readonly opened: number;
  /** Packets that never arrived. */
  readonly swallowed: number;
  /** From now on nothing passes on the present connections; later ones work. */
  silence: () => void;
  stop: () => void;
}

export async function startSilencer(redisPort: number): Promise<Silencer> {
  const sockets = new Set<Socket>();
  const mute = new Set<Socket>();
  let [opened, swallowed] = [0, 0];
  const server = createServer((near) => {
    opened += 1;
    const far = connect(redisPort, '127.0.0.1');
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => {
        if (mute.has(from)) swallowed += 1;
        else to.write(chunk);
      });
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    get opened() {
      return opened;
    },
    get swallowed() {
      return swallowed;
    },
    silence: () => {
      for (const socket of sockets) mute.add(socket);
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
