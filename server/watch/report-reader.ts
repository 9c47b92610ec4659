import type { Redis } from 'ioredis';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReportGapObservation, ReportObservation } from './observation';
import { readReport, timeOfId } from './report-entry';
import { readPage, type StreamPage } from './report-script';

/** One stream for each namespace. Beyond these somebody makes up names. */
const MAX_STREAMS = 256;
const PAGE = 500;
/** Pages of one stream in one round; what is left comes in the next. */
const PAGES_PER_ROUND = 4;
/** Newest entries read when a stream is met: who waits since before. */
const FIRST_PAGE = 1000;
/** Where no event tells of an entry, and in case one was missed. */
const UNASKED_MS = 2_000;

interface Stream {
  db: number;
  key: Bytes;
  /** The last entry that was read, or where reading begins; null = not known yet. */
  lastId: string | null;
  /** An entry of it was read: the next page has to begin with the last one. */
  isFollowed: boolean;
  lastReadAt: number;
  isDirty: boolean;
}

export interface ReportReaderOptions {
  connection: (db: number) => Promise<Redis>;
  deliver: (reports: readonly (ReportObservation | ReportGapObservation)[]) => void;
  now: () => number;
}

/**
 * Follows the report streams from entry to entry: an event says that there is more, a page of them is read.
 * What was trimmed before it was read is told as a gap.
 */
export class ReportReader {
  readonly #options: ReportReaderOptions;
  readonly #streams = new Map<string, Stream>();
  readonly #startedAt: number;

  constructor(options: ReportReaderOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  /** A stream is there, or has grown. */
  note(db: number, key: Bytes): void {
    const id = `${db}:${key}`;
    const stream = this.#streams.get(id);
    if (stream) stream.isDirty = true;
    else if (this.#streams.size < MAX_STREAMS) {
      this.#streams.set(id, {
        db,
        key,
        lastId: null,
        isFollowed: false,
        lastReadAt: 0,
        isDirty: true,
      });
    }
  }

  /** Events were missed: every stream may have grown. */
  noteAll(): void {
    for (const stream of this.#streams.values()) stream.isDirty = true;
  }

  /** Reads what is new. Rejects with the error of a stream that could not be read, after the others. */
  async run(): Promise<void> {
    let failure: unknown = null;
    for (const [id, stream] of this.#streams) {
      const isDue = stream.isDirty || this.#options.now() - stream.lastReadAt >= UNASKED_MS;
      if (!isDue) continue;
      try {
        await this.#readOn(stream);
      } catch (error) {
        if (isOtherType(error)) this.#streams.delete(id);
        else failure = error;
      }
    }
    if (failure !== null) throw failure;
  }

  async #readOn(stream: Stream): Promise<void> {
    stream.isDirty = false;
    const redis = await this.#options.connection(stream.db);
    for (let page = 0; page < PAGES_PER_ROUND; page++) {
      const count = stream.lastId === null ? FIRST_PAGE : PAGE;
      const read = await readPage(redis, stream.key, { from: stream.lastId, count });
      stream.lastReadAt = this.#options.now();
      this.#take(stream, read);
      if (!read.isFull) return;
    }
    stream.isDirty = true;
  }

  /** Not even the last entry is there: the stream was emptied or deleted, and may begin with smaller ids again. */
  #beginAnew(stream: Stream, writtenAt: (id: string) => number): void {
    const { db, lastId, isFollowed } = stream;
    if (lastId === null || !isFollowed) return;
    stream.lastId = null;
    stream.isFollowed = false;
    const at = this.#options.now();
    this.#options.deliver([{ kind: 'report-gap', at, db, from: writtenAt(lastId), to: at }]);
  }

  /** The page begins with the last entry read before, or else a gap does. */
  #take(stream: Stream, { entries, isFull, serverAt }: StreamPage): void {
    const { db, lastId } = stream;
    const at = this.#options.now();
    const clockMs = serverAt === null ? 0 : at - serverAt;
    const [first] = entries;
    // Whoever may write chooses the id, and Redis numbers on from there: nothing was written later than now.
    const writtenAt = (id: string): number => Math.min(at, (timeOfId(id) ?? at) + clockMs);
    if (!first) {
      this.#beginAnew(stream, writtenAt);
      return;
    }
    if (lastId === null && isFull && writtenAt(first.id) >= this.#startedAt) {
      // Much was written since the watch began: all of that is read, and nothing older.
      stream.lastId = `${Math.max(0, Math.floor(this.#startedAt - clockMs) - 1)}-0`;
      return;
    }
    const isWhole = !stream.isFollowed || first.id === lastId;
    stream.isFollowed = true;
    const fresh = first.id === lastId ? entries.slice(1) : entries;
    const seen: (ReportObservation | ReportGapObservation)[] = [];
    if (!isWhole && lastId !== null) {
      const gap = { from: writtenAt(lastId), to: writtenAt(first.id) };
      seen.push({ kind: 'report-gap', at, db, ...gap });
    }
    for (const entry of fresh) {
      const report = readReport(entry, { db, clockMs });
      if (!report) continue;
      const writtenBy = Math.min(at, report.at);
      seen.push({ ...report, at: writtenBy, isOld: writtenBy < this.#startedAt });
    }
    stream.lastId = entries.at(-1)?.id ?? lastId;
    if (seen.length > 0) this.#options.deliver(seen);
  }
}

const isOtherType = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('WRONGTYPE');
