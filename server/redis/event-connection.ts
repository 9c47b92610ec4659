import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import { withinTimeout } from './connection-options';
import { encodeCommand, type CommandArguments } from './resp-command';
import { RespError, RespReader, type RespValue } from './resp-reader';

/** How far the reading was when the socket was gone. */
export interface ClosedWith {
  /** The last frame came in part. */
  midFrame: boolean;
  /** Age of the oldest unanswered command. */
  waitingMs: number;
  /** How long ago the last command that was answered had been sent. */
  behindMs: number;
}

export interface EventConnectionHandlers {
  /** The socket is ours and speaks RESP3 (`events`) or only RESP2. Send the opening commands here. */
  onOpen: (info: { events: boolean; clientId: number | null }) => void;
  /** The socket is gone; ioredis is already opening the next one unless `close` was called. */
  onClose: (info: ClosedWith) => void;
  onKeyspace: (db: number, key: Bytes, event: string) => void;
  /** One socket read has been handled. */
  onChunkEnd: () => void;
}

type OnReply = (reply: RespValue) => void;

interface Expected {
  onReply: OnReply | null;
  sentAt: number;
  /** Db the command was meant for; null = does not matter. */
  db: number | null;
}

/**
 * A connection whose commands and keyspace events share one order. ioredis opens the socket (address,
 * TLS, AUTH, HELLO 3, SELECT, CLIENT SETNAME, reconnecting); once it is ready we take over its bytes.
 *
 * Why: Redis writes replies and pushes of a RESP3 connection to one buffer as they happen, so a read
 * sent here shows the state after every event that arrived before its reply and before every later one.
 * Nothing is sent through ioredis afterwards, and it hears no data, so it cannot get out of step.
 */
export class EventConnection {
  readonly #client: Redis;
  readonly #handlers: EventConnectionHandlers;
  readonly #now: () => number;
  readonly #initialDb: number;
  #reader: RespReader | null = null;
  #expected: Expected[] = [];
  #heardAt = 0;
  #expectedHead = 0;
  #out = '';
  #flushing = false;
  #requestedDb = 0;
  #actualDb = 0;
  #closed = false;
  #wholeUntil = 0;
  #lastError: Error | null = null;

  constructor(
    client: Redis,
    options: { db: number; now: () => number; handlers: EventConnectionHandlers },
  ) {
    this.#client = client;
    this.#handlers = options.handlers;
    this.#now = options.now;
    this.#initialDb = options.db;
    client.on('error', (error: Error) => {
      this.#lastError = error;
    });
    client.on('ready', () => this.#takeOver());
  }

  get isOpen(): boolean {
    return this.#reader !== null;
  }

  /** Everything that Redis did before this time (epoch ms) has been seen. */
  get wholeUntil(): number {
    return this.#wholeUntil;
  }

  /** How long the oldest unanswered command has waited, in ms. */
  get waitingMs(): number {
    const oldest = this.#expected[this.#expectedHead];
    return oldest ? this.#now() - oldest.sentAt : 0;
  }

  /** For how long nothing has arrived, in ms. */
  get silentMs(): number {
    return this.#now() - this.#heardAt;
  }

  get lastError(): Error | null {
    return this.#lastError;
  }

  /** Resolves when the first connection stands; rejects with what ioredis said. */
  async open(): Promise<void> {
    const failed = new Promise<never>((_, reject) => this.#client.once('error', reject));
    await withinTimeout(Promise.race([this.#client.connect(), failed]));
  }

  /** Sends a command that does not depend on a db. Replies come in order, errors as RespError. */
  send(args: CommandArguments, onReply: OnReply | null = null): void {
    this.#write(args, { onReply, sentAt: this.#now(), db: null });
  }

  /** Sends a command in `db`; if that db cannot be selected the reply is the refusal. */
  sendIn(db: number, args: CommandArguments, onReply: OnReply | null = null): void {
    if (db !== this.#requestedDb) {
      this.#requestedDb = db;
      this.send(['SELECT', db], (reply) => {
        if (!(reply instanceof RespError)) this.#actualDb = db;
        else if (this.#requestedDb === db) this.#requestedDb = this.#actualDb;
      });
    }
    this.#write(args, { onReply, sentAt: this.#now(), db });
  }

  /** Drops the socket; ioredis opens another. */
  drop(): void {
    this.#client.stream?.destroy();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await endOf(this.#client);
  }

  #write(args: CommandArguments, expected: Expected): void {
    if (!this.#reader) return;
    this.#expected.push(expected);
    this.#out += encodeCommand(args);
    if (this.#flushing) return;
    this.#flushing = true;
    // All commands of one turn leave in one write.
    queueMicrotask(() => {
      this.#flushing = false;
      const text = this.#out;
      this.#out = '';
      if (this.#reader) this.#client.stream.write(text, 'latin1');
    });
  }

  #takeOver(): void {
    const socket = this.#client.stream;
    if (this.#closed || socket.destroyed) return;
    const reader = new RespReader({
      onKeyspace: this.#handlers.onKeyspace,
      onPush: (push) => this.#onPush(push),
      onReply: (reply) => this.#onReply(reply),
    });
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => this.#onData(reader, chunk));
    socket.once('close', () => this.#onSocketClose(reader));
    this.#reader = reader;
    this.#expected = [];
    this.#expectedHead = 0;
    this.#out = '';
    this.#requestedDb = this.#initialDb;
    this.#actualDb = this.#initialDb;
    this.#lastError = null;
    this.#wholeUntil = this.#now();
    // Asked again because only the answer tells which protocol ioredis settled on, and our client id.
    this.send(['HELLO', 3], (reply) => {
      const events = !(reply instanceof RespError);
      this.#handlers.onOpen({ events, clientId: idInHello(reply) });
    });
  }

  #onData(reader: RespReader, chunk: Buffer): void {
    this.#heardAt = this.#now();
    try {
      reader.write(chunk);
    } catch (error) {
      this.#lastError = error instanceof Error ? error : new Error(String(error));
      this.drop();
    }
    this.#handlers.onChunkEnd();
  }

  #onReply(reply: RespValue): void {
    const expected = this.#expected[this.#expectedHead];
    if (!expected) throw new Error('Redis sent a reply that no command waits for');
    this.#expectedHead++;
    if (this.#expectedHead > 1024) {
      this.#expected = this.#expected.slice(this.#expectedHead);
      this.#expectedHead = 0;
    }
    this.#wholeUntil = expected.sentAt;
    const wrongDb = expected.db !== null && expected.db !== this.#actualDb;
    expected.onReply?.(
      wrongDb
        ? new RespError(`NOPERM no access to the keys of db ${expected.db}: SELECT was refused`)
        : reply,
    );
  }

  #onPush(push: RespValue[]): void {
    // Redis answers PSUBSCRIBE and PUNSUBSCRIBE by a push instead of a reply.
    if (push[0] === 'psubscribe' || push[0] === 'punsubscribe') this.#onReply(push);
  }

  #onSocketClose(reader: RespReader): void {
    if (this.#reader !== reader) return;
    this.#reader = null;
    const { waitingMs } = this;
    this.#expected = [];
    this.#expectedHead = 0;
    this.#handlers.onClose({
      midFrame: reader.isMidFrame,
      waitingMs,
      behindMs: this.#now() - this.#wholeUntil,
    });
    this.#handlers.onChunkEnd();
  }
}

function idInHello(reply: RespValue): number | null {
  if (!Array.isArray(reply)) return null;
  const id = reply[reply.indexOf('id') + 1];
  return typeof id === 'number' ? id : null;
}

/** Closes a client of ioredis and waits until its socket is closed too. */
export async function endOf(client: Redis): Promise<void> {
  const socket = client.stream;
  const closed =
    socket && !socket.destroyed
      ? new Promise<void>((resolve) => socket.once('close', () => resolve()))
      : Promise.resolve();
  client.disconnect();
  socket?.destroy();
  await closed;
}
