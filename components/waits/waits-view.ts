import type { WaitsParams } from '@/lib/protocol/queries';

const HOUR_MS = 3_600_000;
export const RANGES = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': 24 * HOUR_MS } as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES: readonly Range[] = ['1h', '6h', '24h'];

export interface WaitsView {
  range: Range;
  class: string;
  key: string;
}

export function readWaitsView(get: (name: string) => string | null): WaitsView {
  return {
    range: RANGE_NAMES.find((range) => range === get('range')) ?? '1h',
    class: get('class') ?? '',
    key: get('key') ?? '',
  };
}

/** A moving start would open a new query every second: it moves in steps of this share of the range. */
const START_STEPS = 36;

/** The server's own default covers the last hour; longer ranges name their start. */
export function waitsQuery(view: WaitsView, now: number): WaitsParams {
  const filter = {
    ...(view.class === '' ? {} : { class: view.class }),
    ...(view.key === '' ? {} : { key: view.key }),
  };
  if (view.range === '1h') return filter;
  const step = RANGES[view.range] / START_STEPS;
  const from = Math.floor((now - RANGES[view.range]) / step) * step;
  return from > 0 ? { ...filter, from } : filter;
}
