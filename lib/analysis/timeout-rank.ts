/**
 * Counts of rare events among many: how sure a p99 is, and whether more values lie above one than chance would put there.
 * All of it is the binomial distribution of the number of values above a quantile.
 */

/** Coefficients of Lanczos' approximation of the gamma function for g = 7 (Numerical Recipes, 6.1); error below 1e-13. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** ln(n!) for whole numbers. */
function lnFactorial(n: number): number {
  const [first = 1, ...rest] = LANCZOS;
  const sum = rest.reduce((total, coefficient, i) => total + coefficient / (n + i + 1), first);
  const t = n + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (n + 0.5) * Math.log(t) - t + Math.log(sum);
}

const probabilityOf = (k: number, n: number, p: number): number =>
  Math.exp(
    lnFactorial(n) -
      lnFactorial(k) -
      lnFactorial(n - k) +
      k * Math.log(p) +
      (n - k) * Math.log1p(-p),
  );

/** Terms below it add nothing to a sum of probabilities. */
const NEGLIGIBLE = 1e-18;

/** Probability (0…1) that of `n` independent trials, each a success with probability `p` in (0, 1), `k` or more succeed. */
export function atLeast(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n) return 0;
  // From the side on which there is less to add.
  if (k <= n * p) return Math.max(0, 1 - atLeast(n - k + 1, n, 1 - p));
  let term = probabilityOf(k, n, p);
  let sum = 0;
  for (let i = k; i <= n && term > NEGLIGIBLE * Math.max(sum, NEGLIGIBLE); i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.min(1, sum);
}

/** Two-sided 95 %. */
const TAIL = 0.025;
const NORMAL_TAIL = 1.959964;
/** From so many expected values above the quantile on, the normal distribution is as good. */
const MANY = 500;

export interface RankInterval {
  /** Ranks (1 = the least value) between which the quantile lies with 95 %. */
  low: number;
  /** Null = there are too few values to bound it from above. */
  high: number | null;
}

/**
 * The order statistics between which the `q`-quantile (0…1) of the distribution lies with at least 95 %, whatever the
 * distribution: the number of `n` samples above the quantile is binomial with 1 − q. (David and Nagaraja, Order
 * Statistics, 7.1; Hahn and Meeker, Statistical Intervals, 5.2.) Of the p99 an upper bound needs 368 samples.
 */
export function quantileRanks(q: number, n: number): RankInterval {
  const p = 1 - q;
  const expected = n * p;
  if (expected > MANY) {
    const spread = NORMAL_TAIL * Math.sqrt(expected * q);
    return {
      low: Math.max(1, Math.floor(n - expected - spread)),
      high: Math.min(n, Math.ceil(n - expected + spread) + 1),
    };
  }
  let above = 0;
  let high: number | null = null;
  let term = Math.exp(n * Math.log1p(-p));
  let upTo = term;
  while (upTo < 1 - TAIL) {
    if (upTo <= TAIL) high = n - above;
    term *= ((n - above) / (above + 1)) * (p / q);
    above += 1;
    upTo += term;
  }
  if (above === 0 && upTo <= TAIL) high = n;
  return { low: Math.max(1, n - above), high };
}
