import type { RangeChoice } from '@/components/charts/time-range';

export const ADVICE_RANGES: RangeChoice = { offered: ['15m', '1h', '6h', '24h'], usual: '1h' };
