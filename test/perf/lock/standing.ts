import type { Measured } from '@/test/perf/lock/measure';

/** One line of the comparison on which a peer did better than we. */
export interface Behind {
  line: string;
  client: string;
  ours: number;
  theirs: number;
}

/** A line of the comparison: each client's value, and whether more is better. */
interface Line {
  name: string;
  values: Map<string, number>;
  moreIsBetter: boolean;
}

const LOWER_IS_BETTER = ['p99OverIdeal', 'maxMin', 'commandsPerAcquire', 'overlaps'] as const;

function linesOf({ uncontended, contended }: Measured): Line[] {
  const lines: Line[] = [...uncontended].map(([workers, byClient]) => ({
    name: `uncontended.${workers}.ratio`,
    values: new Map([...byClient].map(([client, { ratio }]) => [client, ratio])),
    moreIsBetter: true,
  }));
  const read = (figure: 'perSecond' | (typeof LOWER_IS_BETTER)[number]): Map<string, number> =>
    new Map([...contended].map(([client, figures]) => [client, figures[figure]]));
  if (contended.size === 0) return lines;
  lines.push({ name: 'contended.perSecond', values: read('perSecond'), moreIsBetter: true });
  for (const figure of LOWER_IS_BETTER) {
    lines.push({ name: `contended.${figure}`, values: read(figure), moreIsBetter: false });
  }
  return lines;
}

/** Every line and peer that is ahead of us. Plain ioredis is the limit and no peer. */
export function whereBehind(measured: Measured): Behind[] {
  return linesOf(measured).flatMap(({ name, values, moreIsBetter }) => {
    const ours = values.get('ours');
    if (ours === undefined) return [];
    return [...values]
      .filter(([client]) => client !== 'ours' && client !== 'plain')
      .filter(([, theirs]) => (moreIsBetter ? theirs > ours : theirs < ours))
      .map(([client, theirs]) => ({ line: name, client, ours, theirs }));
  });
}
