import type { Bytes } from '@/lib/protocol/bytes';
import { EventOnce, markOf, patternMark } from './event-once';

/** An error reply (`-ERR …`), as a value: one failing command in a pipeline is not an exception. */
export class RespError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Maps arrive flattened (key, value, key, value…); booleans as 0 and 1; all strings as bytes. */
export type RespValue = Bytes | number | null | RespError | RespValue[];

export interface RespSink {
  /**
   * A message of a pattern subscription to `__keyspace@<db>__:<key>` (or keyevent, see `isEvent`), once for each
   * event, however many of the patterns match.
   */
  onKeyspace: (db: number, key: Bytes, event: string) => void;
  /** Any other push frame (subscription confirmations, other channels). */
  onPush: (push: RespValue[]) => void;
  onReply: (reply: RespValue) => void;
}

interface Aggregate {
  items: RespValue[];
  length: number;
  kind: 'reply' | 'push' | 'attribute';
}

const CR = 13;
const LF = 10;
const COLON = 58;
const DOLLAR = 36;
const ZERO = 48;
/** `>4\r\n$8\r\npmessage\r\n$`: how every keyspace message begins. */
const PMESSAGE = Buffer.from('>4\r\n$8\r\npmessage\r\n$', 'latin1');
const CHANNEL = Buffer.from('__key', 'latin1');
/** `__keyspace@` and `__keyevent@` have the same length. */
const CHANNEL_HEAD = 11;
const SPACE_MARK = 's'.charCodeAt(0);
const MAX_INTERNED_LENGTH = 16;
const MAX_INTERNED = 512;

/** Thrown when the bytes are no RESP; the connection must be dropped. */
function protocolError(byte: number): Error {
  return new Error(`not RESP: unexpected byte 0x${byte.toString(16)} where a type was expected`);
}

/**
 * Incremental reader of RESP2 and RESP3 (https://redis.io/docs/latest/develop/reference/protocol-spec/).
 * Frames may be cut at any byte. Keyspace messages take a path without intermediate objects, because
 * they are nearly all of the traffic.
 */
export class RespReader {
  readonly #sink: RespSink;
  readonly #stack: Aggregate[] = [];
  readonly #eventNames = new Map<number, string>();
  readonly #events: EventOnce;
  /** Bytes not yet consumed, in arrival order, and how many are needed before parsing can go on. */
  #waiting: Buffer[] = [];
  #waitingLength = 0;
  #needed = 0;
  #buffer: Buffer = Buffer.alloc(0);
  #position = 0;
  /** Set by a parse step that ran out of bytes: total bytes wanted from `#position` on. */
  #shortBy = 0;

  constructor(sink: RespSink) {
    this.#sink = sink;
    this.#events = new EventOnce(sink.onKeyspace);
  }

  /** True when the bytes so far end inside a frame. */
  get isMidFrame(): boolean {
    return this.#waitingLength > 0 || this.#stack.length > 0;
  }

  /** Throws when the bytes are not RESP. */
  write(chunk: Buffer): void {
    if (this.#waitingLength > 0) {
      this.#waiting.push(chunk);
      this.#waitingLength += chunk.length;
      if (this.#waitingLength < this.#needed) return;
      this.#buffer = Buffer.concat(this.#waiting, this.#waitingLength);
      this.#waiting = [];
      this.#waitingLength = 0;
    } else {
      this.#buffer = chunk;
    }
    this.#position = 0;
    while (this.#position < this.#buffer.length) {
      if (this.#stack.length === 0 && this.#readKeyspaceMessage()) continue;
      if (this.#readToken()) continue;
      this.#keepRest();
      return;
    }
  }

  #keepRest(): void {
    const rest = this.#buffer.subarray(this.#position);
    this.#waiting = [rest];
    this.#waitingLength = rest.length;
    this.#needed = Math.max(this.#shortBy, rest.length + 1);
  }

  /**
   * Reads one whole keyspace message. False = not one, or not complete: the general path decides.
   */
  #readKeyspaceMessage(): boolean {
    const buffer = this.#buffer;
    const start = this.#position;
    const end = buffer.length;
    if (end - start < 48 || buffer[start] !== PMESSAGE[0]) return false;
    for (let i = 1; i < PMESSAGE.length; i++) if (buffer[start + i] !== PMESSAGE[i]) return false;
    let at = start + PMESSAGE.length;
    let length = 0;
    for (; buffer[at] !== CR; at++) {
      if (at >= end) return false;
      length = length * 10 + (buffer[at] ?? 0) - ZERO;
    }
    const pattern = at + 2;
    const mark = patternMark(length, buffer[pattern + (length >> 1)], buffer[pattern + length - 2]);
    at += 2 + length + 2;
    if (at >= end || buffer[at] !== DOLLAR) return false;
    length = 0;
    for (at++; buffer[at] !== CR; at++) {
      if (at >= end) return false;
      length = length * 10 + (buffer[at] ?? 0) - ZERO;
    }
    const channel = at + 2;
    const channelEnd = channel + length;
    if (channelEnd + 3 >= end) return false;
    for (let i = 0; i < CHANNEL.length; i++) if (buffer[channel + i] !== CHANNEL[i]) return false;
    let db = 0;
    let name = channel + CHANNEL_HEAD;
    for (; name < channelEnd && buffer[name] !== 95; name++) {
      db = db * 10 + (buffer[name] ?? 0) - ZERO;
    }
    name += 3;
    if (buffer[name - 1] !== COLON || buffer[channelEnd + 2] !== DOLLAR) return false;
    length = 0;
    for (at = channelEnd + 3; buffer[at] !== CR; at++) {
      if (at >= end) return false;
      length = length * 10 + (buffer[at] ?? 0) - ZERO;
    }
    const payload = at + 2;
    const payloadEnd = payload + length;
    if (payloadEnd + 2 > end) return false;
    this.#position = payloadEnd + 2;
    if (buffer[channel + CHANNEL.length] === SPACE_MARK) {
      const key = buffer.toString('latin1', name, channelEnd);
      this.#events.deliver(mark, db, { key, event: this.#eventName(payload, payloadEnd) });
    } else {
      const key = buffer.toString('latin1', payload, payloadEnd);
      this.#events.deliver(mark, db, { key, event: this.#eventName(name, channelEnd) });
    }
    return true;
  }

  /** Event names are few: one string each instead of one per message. */
  #eventName(start: number, end: number): string {
    const buffer = this.#buffer;
    if (end - start > MAX_INTERNED_LENGTH) return buffer.toString('latin1', start, end);
    let hash = end - start;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (buffer[i] ?? 0)) | 0;
    const known = this.#eventNames.get(hash);
    if (known !== undefined && this.#equals(known, start, end)) return known;
    const name = buffer.toString('latin1', start, end);
    if (this.#eventNames.size < MAX_INTERNED) this.#eventNames.set(hash, name);
    return name;
  }

  #equals(text: string, start: number, end: number): boolean {
    if (text.length !== end - start) return false;
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) !== this.#buffer[start + i]) return false;
    }
    return true;
  }

  /** Reads one scalar, or the head of an aggregate. False = more bytes are needed. */
  #readToken(): boolean {
    const buffer = this.#buffer;
    const start = this.#position;
    const lineEnd = buffer.indexOf(LF, start + 1);
    if (lineEnd < 0) {
      this.#shortBy = buffer.length - start + 1;
      return false;
    }
    const line = buffer.toString('latin1', start + 1, lineEnd - 1);
    const next = lineEnd + 1;
    const type = buffer[start];
    switch (type) {
      case 43: // +
        return this.#accept(line, next);
      case 45: // -
        return this.#accept(new RespError(line), next);
      case 58: // :
      case 44: // ,
        return this.#accept(parseNumber(line), next);
      case 40: // (
        return this.#accept(line, next);
      case 95: // _
        return this.#accept(null, next);
      case 35: // #
        return this.#accept(line === 't' ? 1 : 0, next);
      case DOLLAR:
      case 33: // !
      case 61: // =
        return this.#readBulk(type, Number(line), next);
      case 42: // *
      case 126: // ~
        return this.#open(Number(line), 'reply', next);
      case 37: // %
        return this.#open(2 * Number(line), 'reply', next);
      case 62: // >
        return this.#open(Number(line), 'push', next);
      case 124: // |
        return this.#open(2 * Number(line), 'attribute', next);
      default:
        throw protocolError(type ?? 0);
    }
  }

  #readBulk(type: number, length: number, from: number): boolean {
    if (length < 0) return this.#accept(null, from);
    const end = from + length;
    if (end + 2 > this.#buffer.length) {
      this.#shortBy = end + 2 - this.#position;
      return false;
    }
    const text = this.#buffer.toString('latin1', from, end);
    // A verbatim string carries a three-letter format and a colon in front.
    const value = type === 33 ? new RespError(text) : type === 61 ? text.slice(4) : text;
    return this.#accept(value, end + 2);
  }

  #open(length: number, kind: Aggregate['kind'], next: number): boolean {
    if (length < 0) return this.#accept(null, next);
    if (length > 0) {
      this.#stack.push({ items: [], length, kind });
      this.#position = next;
      return true;
    }
    if (kind === 'attribute') {
      this.#position = next;
      return true;
    }
    return this.#accept([], next);
  }

  #accept(value: RespValue, next: number): boolean {
    this.#position = next;
    let current = value;
    for (;;) {
      const top = this.#stack.at(-1);
      if (!top) {
        this.#events.interrupt();
        this.#sink.onReply(current);
        return true;
      }
      top.items.push(current);
      if (top.items.length < top.length) return true;
      this.#stack.pop();
      if (top.kind === 'attribute') return true;
      if (top.kind === 'push' && !this.#isElement(top.items)) {
        this.#deliverPush(top.items);
        return true;
      }
      current = top.items;
    }
  }

  /** Within the reply to EXEC stand the answers to subscriptions as its elements, though they are pushes. */
  #isElement([kind]: RespValue[]): boolean {
    return this.#stack.length > 0 && (kind === 'psubscribe' || kind === 'punsubscribe');
  }

  /** A keyspace message that was cut by a chunk's end arrives here whole. */
  #deliverPush(items: RespValue[]): void {
    const [kind, pattern, channel, payload] = items;
    if (kind === 'pmessage' && typeof channel === 'string' && typeof payload === 'string') {
      const match = /^__key(space|event)@(\d+)__:/.exec(channel);
      if (match) {
        const db = Number(match[2]);
        const name = channel.slice(match[0].length);
        const [key, event] = match[1] === 'space' ? [name, payload] : [payload, name];
        this.#events.deliver(typeof pattern === 'string' ? markOf(pattern) : 0, db, { key, event });
        return;
      }
    }
    this.#events.interrupt();
    this.#sink.onPush(items);
  }
}

function parseNumber(line: string): number {
  if (line === 'inf') return Infinity;
  if (line === '-inf') return -Infinity;
  return Number(line);
}
