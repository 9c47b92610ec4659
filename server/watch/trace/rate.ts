/** Counts by whole seconds, and the most in one of them. */
export interface Rate {
  second: number;
  inSecond: number;
  most: number;
}

export const noRate = (): Rate => ({ second: 0, inSecond: 0, most: 0 });

/** `at` is epoch ms; times come in order. */
export function countAt(rate: Rate, at: number): void {
  const second = Math.floor(at / 1000);
  if (second !== rate.second) {
    rate.second = second;
    rate.inSecond = 0;
  }
  rate.inSecond++;
  if (rate.inSecond > rate.most) rate.most = rate.inSecond;
}
