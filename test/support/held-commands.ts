import { connect, createServer, type Socket } from 'node:net';

/** Stands between a console and its Redis, and can keep what the console asks about one key from reaching it. */
export interface HeldCommands {
  port: number;
  /** From now on whatever names this key waits here, and so does all that follows it on its connection. */
  hold: (key: string) => void;
  /** Whether something waits. */
  readonly isHolding: boolean;
  /** Passes on what waits, in its order, and holds nothing more. */
  letGo: () => void;
  stop: () => Promise<void>;
}

interface Way {
  far: Socket;
  held: Buffer[];
  /** The end of what was passed on: a key may come in two pieces. */
  tail: Buffer;
}

export async function startHeldCommands(redisPort: number): Promise<HeldCommands> {
  const ways = new Set<Way>();
  const sockets = new Set<Socket>();
  let named: Buffer | null = null;

  const pass = (way: Way, chunk: Buffer): void => {
    const seen = Buffer.concat([way.tail, chunk]);
    if (way.held.length > 0 || (named && seen.includes(named))) {
      way.held.push(chunk);
      return;
    }
    way.tail = named ? seen.subarray(-named.length) : Buffer.alloc(0);
    way.far.write(chunk);
  };

  const server = createServer((near) => {
    const far = connect(redisPort, '127.0.0.1');
    const way: Way = { far, held: [], tail: Buffer.alloc(0) };
    ways.add(way);
    near.on('data', (chunk: Buffer) => pass(way, chunk));
    far.on('data', (chunk: Buffer) => near.write(chunk));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        for (const each of [near, far]) {
          each.destroy();
          sockets.delete(each);
        }
        ways.delete(way);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    hold: (key) => {
      named = Buffer.from(`\r\n${key}\r\n`);
    },
    get isHolding() {
      return [...ways].some(({ held }) => held.length > 0);
    },
    letGo: () => {
      named = null;
      for (const way of ways) for (const chunk of way.held.splice(0)) way.far.write(chunk);
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
