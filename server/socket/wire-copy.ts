import { makePatch, type Patch } from '@/lib/live/patch';

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list as it was sent: each item with its text. */
interface SentList {
  texts: string[];
  items: unknown[];
}

/**
 * An answer as the browsers hold it: what JSON leaves of it. An item of a list that reads as before is the
 * same object as before, so that it is neither parsed nor compared again; in a long list few items change.
 */
export class WireCopy {
  #data: unknown;
  /** By the name of the member that is the list. */
  #lists = new Map<string, SentList>();

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
    const list = copyList(value, this.#lists.get(name));
    this.#lists.set(name, list);
    return list.items;
  }
}

function copyList(list: readonly unknown[], before: SentList | undefined): SentList {
  const texts = list.map(textOf);
  const known = before && textsMoved(before.texts, texts) ? itemsByText(before) : undefined;
  const items = texts.map((text, i) =>
    before?.texts[i] === text ? before.items[i] : (known?.get(text) ?? JSON.parse(text)),
  );
  return { texts, items };
}

/** Whether most are no longer in their places, so that it pays to look for each among all. */
function textsMoved(before: readonly string[], now: readonly string[]): boolean {
  const stayed = now.filter((text, i) => text === before[i]).length;
  return stayed < Math.min(before.length, now.length) / 2;
}

const itemsByText = ({ texts, items }: SentList): Map<string, unknown> =>
  new Map(texts.map((text, i) => [text, items[i]]));

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

const throughJson = (value: unknown): unknown => JSON.parse(textOf(value));
