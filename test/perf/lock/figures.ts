import type { Figures } from '@/test/perf/figures';
import type { Measured } from '@/test/perf/lock/measure';

/** `lock.contended.p99Ms` is ours; a peer's stands under its name: `lock.contended.verrou.p99Ms`. */
const nameOf = (group: string, client: string, figure: string): string =>
  ['lock', group, ...(client === 'ours' ? [] : [client]), figure].join('.');

/** All that was measured under flat names. */
export function figuresOf({ uncontended, contended }: Measured): Figures {
  const figures: Figures = {};
  for (const [workers, byClient] of uncontended) {
    for (const [client, { perSecond, ratio }] of byClient) {
      figures[nameOf(`uncontended.${workers}`, client, 'perSecond')] = perSecond;
      if (client !== 'plain') figures[nameOf(`uncontended.${workers}`, client, 'ratio')] = ratio;
    }
  }
  for (const [client, values] of contended) {
    for (const [figure, value] of Object.entries(values)) {
      figures[nameOf('contended', client, figure)] = value;
    }
  }
  return figures;
}
