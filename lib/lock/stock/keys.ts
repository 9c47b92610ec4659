/** Every key of a stock (`README.md`, "On the wire"). A segment's keys share a slot of a Cluster; segments do not. */
export interface StockKeys {
  /** Hash of what the set-up fixed. */
  control: string;
  segment: (index: number) => string;
  /** The segment and its two ledgers of orders, in the order that scripts expect. */
  withLedgers: (index: number) => string[];
}

export const DEFAULT_STOCK_PREFIX = 'lockscope:stock:';

export function stockKeys(prefix: string, name: string): StockKeys {
  const segment = (index: number): string => `${prefix}{${name}:${index}}`;
  return {
    control: `${prefix}{${name}}`,
    segment,
    withLedgers: (index) => [
      segment(index),
      `${segment(index)}:orders:1`,
      `${segment(index)}:orders:2`,
    ],
  };
}

/** Name of the global lock. */
export const stockLock = (name: string): string => `stock:${name}`;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The segment that an order's deduction, its repetition and its return all go to: FNV-1a (32 bits,
 * draft-eastlake-fnv) over the id's UTF-16 code units, modulo the number of segments.
 */
export function homeOf(id: string, segments: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), FNV_PRIME);
  return (hash >>> 0) % segments;
}
