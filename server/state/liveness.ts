import { isOwnInstance } from '@/lib/formats/qoder-owner';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Liveness, Owner } from '@/lib/protocol/lock';
import type { ClientsObservation } from '@/server/watch/observation';

/** Who was connected and has not been for longer than this is gone: clients reconnect within seconds. */
const GONE_MS = 60_000;
/** Shorter texts are found in names that have nothing to do with them. */
const LEAST_CHARACTERS = 4;
const MAX_MARKS = 10_000;
/** Characters searched at each look; marks beyond take turns. */
const MAX_SEARCHED = 5_000_000;

/** Something by which a holder's connection can be told in the list of clients. */
export interface Mark {
  text: string;
  /** `group`: many share it. That one of them is there says nothing of the holder; that none is, does. */
  of: 'owner' | 'group';
}

interface Sighting {
  /** When a client with this mark was last listed; null = never. */
  seenAt: number | null;
  isThere: boolean;
}

/** What the lists of clients have said of the marks of holders. */
export interface LivenessBook<Lock = unknown> {
  /** Null while nothing may be claimed: never looked, or out of reach. */
  checkedAt: number | null;
  sightings: Map<string, Sighting>;
  /** Where the next look goes on when there are too many marks for one. */
  turn: number;
  /** Where the next look goes on when there are too many locks for one; null = with the first. */
  walk: Iterator<Lock> | null;
}

export const createLivenessBook = <Lock>(): LivenessBook<Lock> => ({
  checkedAt: null,
  sightings: new Map(),
  turn: 0,
  walk: null,
});

/** `PREFIX:QUEUE:JOB:lock`; ids of jobs hold no colon. */
const JOB_LOCK = /^(.+):([^:]+):[^:]+:lock$/s;

/**
 * The marks of a holder, the most particular first. Workers of Bull and BullMQ call their connections
 * `PREFIX:<base64 of the queue>`, with a name of their own `…:w:<name>` (`lib/queue.js`, `classes/worker.ts`).
 */
export function marksOf(
  owner: Omit<Owner, 'liveness'>,
  lock?: { key: Bytes; format: { id: string } },
): Mark[] {
  const { instance, host, ip, app } = owner;
  const marks: Mark[] = [];
  const job = lock && lock.format.id.startsWith('bull') ? JOB_LOCK.exec(lock.key) : null;
  if (job) {
    const queue = Buffer.from(job[2] ?? '', 'latin1').toString('base64');
    const group = `${job[1]}:${queue}`;
    if (app !== null) marks.push({ text: `${group}:w:${app}`, of: 'owner' });
    marks.push({ text: group, of: 'group' });
  }
  for (const text of [instance, host, ip]) {
    if (text === null || text.length < LEAST_CHARACTERS || isOwnInstance(text)) continue;
    marks.push({ text, of: 'owner' });
  }
  return marks;
}

/** Whether a holder of these marks is there: the most particular mark that was ever seen decides. */
export function livenessOf(book: LivenessBook, marks: readonly Mark[]): Liveness {
  const { checkedAt, sightings } = book;
  if (checkedAt === null) return 'unknown';
  for (const { text, of } of marks) {
    const { seenAt = null, isThere = false } = sightings.get(text) ?? {};
    if (seenAt === null) continue;
    if (isThere) return of === 'owner' ? 'seen' : 'unknown';
    return checkedAt - seenAt > GONE_MS ? 'not-seen' : 'unknown';
  }
  return 'unknown';
}

/** Looks for the marks among those who are connected now. */
export function sight(
  book: LivenessBook,
  marks: readonly string[],
  { names, addresses, at }: Pick<ClientsObservation, 'names' | 'addresses' | 'at'>,
): void {
  const text = names.join('\n');
  const most = Math.max(100, Math.floor(MAX_SEARCHED / Math.max(1, text.length)));
  if (book.turn >= marks.length) book.turn = 0;
  for (let i = 0; i < Math.min(most, marks.length); i++) {
    const mark = marks[(book.turn + i) % marks.length] ?? '';
    const isThere = addresses.has(mark) || standsIn(text, mark);
    const seenAt = isThere ? at : (book.sightings.get(mark)?.seenAt ?? null);
    book.sightings.delete(mark);
    book.sightings.set(mark, { seenAt, isThere });
  }
  book.turn += most;
  book.checkedAt = at;
  for (const oldest of book.sightings.keys()) {
    if (book.sightings.size <= MAX_MARKS) break;
    book.sightings.delete(oldest);
  }
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[A-Za-z0-9]/.test(character);

/** `web-1` stands in `app@web-1` and not in `web-10`. */
function standsIn(text: string, mark: string): boolean {
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + mark.length])) return true;
  }
  return false;
}
