import { makePatch, type Patch } from '@/lib/live/patch';

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An answer as the browsers hold it: what JSON leaves of it. An item of a list that reads as before is the
 * same object as before, so that it is neither parsed nor compared again; in a long list few items change.
 */
export class WireCopy {
  #data: unknown;
  /** By the name of the member that is the list. */
  #lists = new Map<string, unknown[]>();

  get data(): unknown {
    return this.#data;
  }

  /** Takes in the answer computed anew; returns what differs from the one before, or null. */
  take(answer: unknown): Patch | null {
    const before = this.#data;
    this.#data = isMembers(answer) ? this.#copyMembers(answer) : this.#copy('', answer);
    return makePatch(before, this.#data);
  }

  #copyMembers(members: Members): Members {
    const present = Object.entries(members).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present.map(([name, value]) => [name, this.#copy(name, value)]));
  }

  #copy(name: string, value: unknown): unknown {
    if (!Array.isArray(value)) return throughJson(value);
    // Texts cannot be changed, and JSON leaves all of them as they are: the columns of a large map are megabytes.
    if (value.every((item) => typeof item === 'string')) return [...value];
    const list = copyList(value, this.#lists.get(name) ?? []);
    this.#lists.set(name, list);
    return list;
  }
}

/** So far is looked ahead for where a list goes on behind items that have left. */
const LOOK_AHEAD = 8;

/** A list mostly moves in pieces: what comes next now came next before. */
function copyList(list: readonly unknown[], before: readonly unknown[]): unknown[] {
  let next = 0;
  return list.map((item, i) => {
    const near = indexNear(before, item, next);
    const at = near < 0 && readsAs(item, before[i]) ? i : near;
    if (at < 0) return throughJson(item);
    next = at + 1;
    return before[at];
  });
}

function indexNear(sent: readonly unknown[], item: unknown, from: number): number {
  const to = Math.min(sent.length, from + LOOK_AHEAD);
  for (let i = from; i < to; i++) if (readsAs(item, sent[i])) return i;
  return -1;
}

/**
 * Whether JSON makes `sent` of the value, which it made of an earlier one. To compare them costs a fraction of writing
 * the value out. False = it may be so all the same: what JSON turns into something else is not followed.
 */
function readsAs(value: unknown, sent: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === sent && value !== undefined;
  if (Array.isArray(value)) {
    if (!Array.isArray(sent) || value.length !== sent.length) return false;
    for (let i = 0; i < value.length; i++) if (!readsAs(value[i], sent[i])) return false;
    return true;
  }
  return isMembers(value) && isMembers(sent) && membersReadAs(value, sent);
}

function membersReadAs(value: Members, sent: Members): boolean {
  let unmatched = 0;
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    if (!readsAs(member, sent[name])) return false;
    unmatched--;
  }
  for (const _ in sent) unmatched++;
  return unmatched === 0;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

const throughJson = (value: unknown): unknown => JSON.parse(textOf(value));
