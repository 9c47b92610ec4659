import type { ManagerOptions, Socket, SocketOptions } from 'socket.io-client';
import { NOT_SENT, UNANSWERED } from '@/lib/live/unanswered';
import { errorBodyOf, type ErrorBody } from '@/lib/protocol/errors';
import type { Ack, ClientToServerEvents, ServerToClientEvents } from '@/lib/protocol/events';
import type { LiveTransport, TransportHandlers } from '@/lib/live/transport';

type LiveSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

const OPEN_TIMEOUT_MS = 20_000;
/** A bulk release may take this long; a lost connection ends the wait at once. */
const RUN_TIMEOUT_MS = 120_000;

/** After a refusal: the session may be renewed in another tab, the store may recover. */
const REFUSED_RETRY_MS = 5000;

/** The refusal inside a `connect_error`, or null for a plain network error. */
function refusalOf(error: Error): ErrorBody['error'] | null {
  return errorBodyOf('data' in error ? error.data : undefined)?.error ?? null;
}

function wire(socket: LiveSocket, handlers: TransportHandlers): void {
  socket.on('connect', () => handlers.connection('connected', null));
  socket.on('disconnect', (reason) => {
    handlers.connection('disconnected', null);
    // The server ends a session that was revoked or changed its role; only a fresh handshake tells which.
    if (reason === 'io server disconnect') socket.connect();
  });
  socket.on('connect_error', (error) => {
    handlers.connection('disconnected', refusalOf(error));
    // socket.io tries again by itself after a network error (`active`), not after a refusal.
    if (!socket.active)
      setTimeout(() => socket.hasListeners('connect') && socket.connect(), REFUSED_RETRY_MS);
  });
  socket.on('query:frame', handlers.frame);
  socket.on('query:failed', handlers.failed);
}

/**
 * socket.io under the live store. In a browser its code is on its way while the page hydrates; the
 * connection opens when the store starts.
 * Connects to the page's own origin with its cookie, unless told otherwise.
 */
export function createSocketTransport(
  where: { url?: string; options?: Partial<ManagerOptions & SocketOptions> } = {},
): LiveTransport {
  let socket: LiveSocket | null = null;
  let refused: ErrorBody['error'] | null = null;
  let starts = 0;
  const code = typeof window === 'undefined' ? null : import('socket.io-client');
  // `start` meets the same failure and tells of it.
  code?.catch(() => {});

  const load = async (handlers: TransportHandlers): Promise<void> => {
    const start = ++starts;
    const { io } = await (code ?? import('socket.io-client'));
    if (start !== starts) return;
    const options = { path: '/socket.io', transports: ['websocket', 'polling'], ...where.options };
    socket = where.url === undefined ? io(options) : io(where.url, options);
    wire(socket, {
      ...handlers,
      connection: (state, why) => {
        refused = why;
        handlers.connection(state, why);
      },
    });
  };

  const ask = async <T>(question: (open: LiveSocket) => Promise<unknown>): Promise<Ack<T>> => {
    if (!socket?.connected) return { ok: false, error: refused ?? NOT_SENT };
    try {
      return answerOf<T>(await question(socket));
    } catch {
      // Timed out or disconnected; the caller shows it as an error.
      return { ok: false, error: UNANSWERED };
    }
  };

  return {
    start: (handlers) => {
      load(handlers).catch(() => handlers.connection('disconnected', NOT_SENT));
    },
    stop: () => {
      starts++;
      socket?.removeAllListeners();
      socket?.disconnect();
      socket = null;
    },
    open: (query, params) =>
      ask((open) =>
        untyped(open).timeout(OPEN_TIMEOUT_MS).emitWithAck('query:open', { query, params }),
      ),
    close: (stream) => {
      socket?.emit('query:close', { stream });
    },
    run: (action, input) =>
      ask((open) =>
        untyped(open).timeout(RUN_TIMEOUT_MS).emitWithAck('action:run', { action, input }),
      ),
  };
}

/** The server's answer to each event is typed in `lib/protocol/events.ts`. */
const answerOf = <T>(value: unknown): Ack<T> => value as Ack<T>;

/** The store hands over names and parameters as plain data; their types were checked where they were written. */
const untyped = (socket: LiveSocket): Socket => socket as unknown as Socket;
