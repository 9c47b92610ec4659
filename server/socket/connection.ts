import { said } from '@/lib/messages/in-english';
import type { Socket } from 'socket.io';
import type { z } from 'zod';
import {
  CloseRequest,
  OpenRequest,
  RunRequest,
  type ClientToServerEvents,
  type ServerToClientEvents,
} from '@/lib/protocol/events';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import type { Actor } from '@/server/auth/actor';
import { parseInput } from '@/server/queries/parse-input';
import { toErrorBody } from './error-body';
import type { Publisher } from './publisher';
import { hasChanged } from './sessions';
import type { Stream } from './stream';

export interface SocketData {
  actor: Actor;
  headers: Headers;
}

export type ServerSocket = Socket<
  ClientToServerEvents,
  ServerToClientEvents,
  Record<string, never>,
  SocketData
>;

export interface ConnectionParts {
  publisher: Publisher;
  /** Who the socket's credential stands for now. Throws UNAUTHENTICATED when for nobody any more. */
  identify: (headers: Headers) => Promise<Actor>;
  act: (name: string, input: unknown, actor: Actor) => Promise<unknown>;
}

/** A browser can hold this many queries open; a page needs about five. */
const MAX_OPEN = 100;

/** Whatever a client sends in place of an ack is left alone. */
type Answer = (answer: unknown) => void;
const answerOf = (ack: unknown): Answer =>
  typeof ack === 'function' ? (answer) => void ack(answer) : () => undefined;

/** `work` resolves to what makes the value, so that nothing is sent between its making and its answer. */
async function respond(ack: Answer, work: () => Promise<() => unknown>): Promise<void> {
  try {
    const value = await work();
    ack({ ok: true, value: value() });
  } catch (error) {
    ack({ ok: false, ...toErrorBody(error) });
  }
}

/** The queries one socket has open. */
class OpenQueries {
  readonly #socket: ServerSocket;
  readonly #publisher: Publisher;
  readonly #open = new Map<string, Stream>();

  constructor(socket: ServerSocket, publisher: Publisher) {
    this.#socket = socket;
    this.#publisher = publisher;
  }

  /** Opens a query; what it resolves to joins the stream: the next frame continues that snapshot. */
  async open({ query, params }: z.infer<typeof OpenRequest>, actor: Actor): Promise<() => unknown> {
    if (this.#open.size >= MAX_OPEN) {
      throw new CodedError('TOO_MANY', said('too-many:queries', { most: MAX_OPEN }));
    }
    const stream = this.#publisher.join(query, params, actor);
    try {
      await stream.ready();
    } catch (error) {
      this.#publisher.leave(stream);
      throw error;
    }
    return () => this.#join(stream);
  }

  close(name: string): void {
    const stream = this.#open.get(name);
    if (!stream) return;
    this.#open.delete(name);
    void this.#socket.leave(name);
    this.#publisher.leave(stream);
  }

  closeAll(): void {
    for (const name of this.#open.keys()) this.close(name);
  }

  #join(stream: Stream): unknown {
    const isKnown = this.#open.get(stream.name) === stream;
    if (isKnown || this.#socket.disconnected) this.#publisher.leave(stream);
    else {
      this.#open.set(stream.name, stream);
      void this.#socket.join(stream.name);
    }
    return stream.snapshot();
  }
}

/**
 * Answers one browser: opened queries, closed queries, actions. Who asks is found out anew for each, since a
 * session may end or change its role while the connection stands; such a connection is ended.
 */
export function serveConnection(socket: ServerSocket, parts: ConnectionParts): void {
  const { publisher, identify, act } = parts;
  const queries = new OpenQueries(socket, publisher);

  const answer = async (
    ack: unknown,
    work: (actor: Actor) => Promise<() => unknown>,
  ): Promise<void> => {
    let isOutdated = false;
    await respond(answerOf(ack), async () => {
      try {
        const actor = await identify(socket.data.headers);
        isOutdated = hasChanged(socket.data.actor, actor);
        return await work(actor);
      } catch (error) {
        isOutdated ||= isCodedError(error) && error.code === 'UNAUTHENTICATED';
        throw error;
      }
    });
    // After the answer: what is written before a close is still sent.
    if (isOutdated) socket.disconnect(true);
  };

  socket.on('query:open', (request: unknown, ack: unknown) => {
    void answer(ack, async (actor) => await queries.open(parseInput(OpenRequest, request), actor));
  });
  socket.on('query:close', (request: unknown) => {
    const parsed = CloseRequest.safeParse(request);
    if (parsed.success) queries.close(parsed.data.stream);
  });
  socket.on('action:run', (request: unknown, ack: unknown) => {
    void answer(ack, async (actor) => {
      const { action, input } = parseInput(RunRequest, request);
      const result = await act(action, input, actor);
      return () => result;
    });
  });
  socket.on('disconnect', () => queries.closeAll());
}
