import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents } from '@/lib/protocol/events';
import type { Actor } from '@/server/auth/actor';
import type { ServerContext } from '@/server/queries/query-context';
import type { RuntimeHandle } from '@/server/runtime-handle';
import { serveConnection, type ServerSocket, type SocketData } from './connection';
import { logError, refusal } from './error-body';
import { Publisher } from './publisher';
import { authenticate, credentialOf, handshakeHeaders, hasChanged } from './sessions';

/** A revoked session or a changed role ends its connections within about this time. */
const RECHECK_MS = 5000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Packets a browser may be behind before it is cut off; it then starts anew with snapshots. */
const MAX_BEHIND = 2000;

export interface SocketServerOptions {
  httpServer: HttpServer;
  context: ServerContext;
  handle: Pick<RuntimeHandle, 'actorOf' | 'isTrustedWrite' | 'query' | 'act'>;
  /** Calls the listener whenever something a page may show has changed; returns the unsubscribe. */
  onChange: (listener: () => void) => () => void;
  /** How often all sessions are looked at again, in milliseconds. */
  recheckMs?: number;
}

export interface SocketServer {
  /** Disconnects everybody; the HTTP server is its owner's to close. */
  close: () => Promise<void>;
}

type Io = Server<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;

function createIo(httpServer: HttpServer): Io {
  return new Server(httpServer, {
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    serveClient: false,
    // Measured: deflating per message costs ten times what the frames cost.
    perMessageDeflate: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
  });
}

/** The live protocol of `lib/protocol/events.ts` on `/socket.io` of an HTTP server. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { httpServer, context, handle, onChange, recheckMs = RECHECK_MS } = options;
  const io = createIo(httpServer);
  const check = { actorOf: handle.actorOf, isTrusted: handle.isTrustedWrite };
  const publisher = new Publisher({
    context,
    query: handle.query,
    onFrame: (frame) => void io.to(frame.stream).emit('query:frame', frame),
    onFailed: (failure) => {
      io.to(failure.stream).emit('query:failed', failure);
      io.in(failure.stream).socketsLeave(failure.stream);
    },
  });

  /** What keeps the socket out, or undefined. */
  const admit = async (socket: ServerSocket, headers: Headers): Promise<Error | undefined> => {
    try {
      const actor = await authenticate(check, headers);
      Object.assign(socket.data, { actor, headers });
      return undefined;
    } catch (error) {
      return refusal(error);
    }
  };
  io.use(async (socket, next) => {
    const headers = handshakeHeaders(socket.request, socket.handshake.auth);
    next(await admit(socket, headers));
  });
  const identify = (headers: Headers): Promise<Actor> => authenticate(check, headers);
  io.on('connection', (socket) =>
    serveConnection(socket, { publisher, identify, act: handle.act }),
  );

  const unsubscribe = onChange(() => publisher.notify());
  let isChecking = false;
  const recheck = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void recheckAll([...io.sockets.sockets.values()], check.actorOf).finally(() => {
      isChecking = false;
    });
  }, recheckMs);
  recheck.unref();

  return {
    close: async () => {
      unsubscribe();
      clearInterval(recheck);
      publisher.stop();
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

/** Cuts off whoever may no longer do what they connected for, and whoever cannot keep up. */
async function recheckAll(
  sockets: readonly ServerSocket[],
  actorOf: (headers: Headers) => Promise<Actor | null>,
): Promise<void> {
  for (const group of Map.groupBy(sockets, (s) => credentialOf(s.data.headers)).values()) {
    const headers = group[0]?.data.headers;
    if (!headers) continue;
    try {
      const actor = await actorOf(headers);
      for (const socket of group) {
        const isBehind = packetsBehind(socket.conn) > MAX_BEHIND;
        if (isBehind || hasChanged(socket.data.actor, actor)) socket.disconnect(true);
      }
    } catch (error) {
      // Whether the session still stands cannot be found out now; the next pass asks again.
      logError('sessions could not be checked:', error);
    }
  }
}

/** Packets that wait for a slow browser; engine.io keeps them in a member it does not publish. */
const packetsBehind = (conn: object): number =>
  'writeBuffer' in conn && Array.isArray(conn.writeBuffer) ? conn.writeBuffer.length : 0;
