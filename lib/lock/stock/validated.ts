import { LockError } from '../errors.js';

const refused = (sentence: string, fields: Record<string, unknown>): LockError =>
  new LockError('BAD_OPTIONS', sentence, fields);

/** Returns a number of units; throws BAD_OPTIONS unless it is whole, exact in a double, and at least `least`. */
export function validQuantity(quantity: number, least = 1): number {
  if (Number.isSafeInteger(quantity) && quantity >= least) return quantity;
  throw refused(`A quantity is a whole number of at least ${least}, not ${String(quantity)}.`, {
    quantity,
  });
}

/** Returns the id of an order or a delivery; throws BAD_OPTIONS when it is empty. */
export function validId(what: 'orderId' | 'restockId', id: string): string {
  if (typeof id === 'string' && id.trim() !== '') return id;
  throw refused(`${what} is empty; give the id by which a repeated call is recognised.`, {
    [what]: id,
  });
}

/** Returns a part of a key; throws BAD_OPTIONS when it has braces, or is empty where it must not be. */
export function validKeyPart(what: 'name' | 'prefix', text: string): string {
  const isNamed = what === 'prefix' || String(text).trim() !== '';
  if (typeof text === 'string' && isNamed && !/[{}]/.test(text)) return text;
  throw refused(
    `The ${what} of a stock is not empty and has no braces, unlike ${JSON.stringify(text)}.`,
    {
      [what]: text,
    },
  );
}

/** Returns a whole number from `least` to `most`; throws BAD_OPTIONS. */
export function validWhole(
  what: 'segments' | 'orderMemoryMs',
  value: number,
  { least, most }: { least: number; most: number },
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refused(`${what} is a whole number from ${least} to ${most}, not ${String(value)}.`, {
    [what]: value,
  });
}
