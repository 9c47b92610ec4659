import type { RangeChoice } from '@/components/charts/time-range';

export const ADVICE_RANGES: RangeChoice = { offered: ['15m', '1h', '6h', '24h'], usual: '1h' };

export const ADVICE_TABS = ['contention', 'timeouts', 'configuration'] as const;
export type AdviceTab = (typeof ADVICE_TABS)[number];

/** The tab that an address names; any other text means the first. */
export const readAdviceTab = (text: string | null): AdviceTab =>
  ADVICE_TABS.find((tab) => tab === text) ?? 'contention';

export const adviceTabHref = (tab: AdviceTab): string => `/advice?tab=${tab}`;
