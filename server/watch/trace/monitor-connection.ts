import type { Redis } from 'ioredis';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import {
  createTraceClient,
  unavailable,
  userOf,
  withinTimeout,
} from '@/server/redis/connection-options';
import { endOf } from '@/server/redis/event-connection';
import { isRefusal } from '@/server/redis/redis-error';
import { createLineCutter } from './line-cutter';

const RULE = '+monitor';

export interface MonitorHandlers {
  /** What Redis sent after its OK, line by line without the leading `+`. */
  onLine: (line: string) => void;
  /** One socket read has been handled; `bytes` long. */
  onChunk: (bytes: number) => void;
  /** The connection is gone, and not because it was closed from here. */
  onLost: () => void;
}

export interface MonitorConnection {
  /** Id of the connection on the server; null where it may not be asked. */
  clientId: number | null;
  /** Redis stops telling at once. */
  close: () => Promise<void>;
}

/**
 * A connection of its own in MONITOR mode. ioredis opens it (address, TLS, AUTH); then the bytes are ours. It
 * is never opened again by itself. Rejects with CAPABILITY_MISSING and the rule where MONITOR is refused, with
 * TARGET_UNAVAILABLE where Redis cannot be reached.
 */
export async function openMonitor(
  url: string,
  handlers: MonitorHandlers,
): Promise<MonitorConnection> {
  const client = createTraceClient(url);
  const failed = new Promise<never>((_, reject) => client.once('error', reject));
  client.on('error', () => undefined);
  let clientId: number | null;
  try {
    await withinTimeout(Promise.race([client.connect(), failed]));
    clientId = await idOf(client);
    await withinTimeout(beginMonitor(client, handlers));
  } catch (error) {
    await endOf(client);
    throw isRefusal(error) ? refused(url, error) : unavailable(url, error);
  }
  return { clientId, close: () => closeOf(client) };
}

async function idOf(client: Redis): Promise<number | null> {
  try {
    return Number(await client.call('CLIENT', 'ID'));
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Resolves at Redis's OK. */
function beginMonitor(client: Redis, handlers: MonitorHandlers): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = client.stream;
  let isTold = false;
  const cutter = createLineCutter((line) => {
    if (isTold) return handlers.onLine(line.slice(1));
    if (line === '+OK') {
      isTold = true;
      return resolve();
    }
    reject(new Error(line.slice(1)));
  });
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    cutter.write(chunk.toString('latin1'));
    handlers.onChunk(chunk.length);
  });
  socket.once('close', () => {
    reject(new Error('the connection was closed'));
    handlers.onLost();
  });
  socket.write('*1\r\n$7\r\nMONITOR\r\n');
  return promise;
}

async function closeOf(client: Redis): Promise<void> {
  client.stream?.removeAllListeners('data');
  await endOf(client);
}

function refused(url: string, error: unknown): CodedError {
  const rule = `ACL SETUSER ${userOf(url)} ${RULE}`;
  const because = error instanceof Error ? error.message : String(error);
  return new CodedError('CAPABILITY_MISSING', said('trace:no-monitor', { error: because, rule }), {
    capability: 'monitor',
    rule: RULE,
  });
}
