import { useFormatter } from 'use-intl';

/** An average number of waiters: two digits that say something. */
export function useWaitersText(): (waiters: number) => string {
  const format = useFormatter();
  return (waiters) =>
    format.number(
      waiters,
      waiters >= 10 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
    );
}

/** Cut and not rounded: what is nearly all is not all. */
export const percentText = (format: ReturnType<typeof useFormatter>, share: number): string =>
  format.number(Math.floor(share * 100) / 100, { style: 'percent', maximumFractionDigits: 0 });
