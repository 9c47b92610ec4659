import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { Arguments, readHead } from '@/server/watch/trace/monitor-line';
import type { TestRedis } from './redis-server';

export interface Monitored {
  words: string[];
  /** The client's address, or `lua`. */
  from: string;
}

/**
 * Hands every command that the server (without a password) executes from now on to `heard`. `end` resolves when all
 * that ran before it were handed over. A socket of its own: ioredis takes lines that come in one packet with the
 * answer to MONITOR for answers to commands that it never sent.
 */
export async function monitorCommands(redis: TestRedis, heard: (command: Monitored) => void) {
  const socket = createConnection(redis.port, '127.0.0.1');
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: over, resolve: finish } = Promise.withResolvers<void>();
  const mark = `end-${randomUUID()}`;
  createInterface({ input: socket }).on('line', (line) => {
    if (line === '+OK') begin();
    const head = readHead(line.slice(1));
    if (!head) return;
    const words = [...argumentsOf(line.slice(1), head.start)];
    if (words[1] === mark) finish();
    else heard({ words, from: head.from });
  });
  // The test ends the server, and with it this connection.
  socket.on('error', () => undefined);
  socket.write('MONITOR\r\n');
  await begun;
  return {
    end: async (): Promise<void> => {
      // Without a client, whose own commands would be heard too.
      const marker = createConnection(redis.port, '127.0.0.1');
      marker.write(`ECHO ${mark}\r\n`);
      await over;
      marker.destroy();
      socket.destroy();
    },
  };
}

function* argumentsOf(line: string, start: number): Generator<string> {
  const words = new Arguments(line, start);
  for (let word = words.next(); word !== null; word = words.next()) yield word;
}
