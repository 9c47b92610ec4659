export type LabelSet = Readonly<Record<string, string>>;

export interface Sample {
  labels: LabelSet;
  value: number;
}

/** A distribution of one label set. `counts[i]` is what fell into bucket `i` alone; the last one has no bound. */
export interface HistogramSample {
  labels: LabelSet;
  /** Upper bounds, inclusive, rising, without infinity. */
  bounds: readonly number[];
  /** One more than there are bounds. */
  counts: readonly number[];
  sum: number;
}

/**
 * All samples of one name. `name` is without the suffixes that the kind brings (`_total`, `_info`, `_bucket`), and ends
 * in its unit (`_seconds`, `_bytes`) where it has one.
 */
export type Family = { name: string; help: string } & (
  | { type: 'gauge' | 'counter' | 'info'; samples: readonly Sample[] }
  | { type: 'histogram'; samples: readonly HistogramSample[] }
);

export type ExpositionFormat = 'text' | 'openmetrics';

export const CONTENT_TYPES: Record<ExpositionFormat, string> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const SUFFIXES = { gauge: '', counter: '_total', info: '_info', histogram: '' } as const;

/** The name under which samples are found; of a histogram the part before `_bucket`, `_sum` and `_count`. */
export const sampleName = ({ name, type }: Pick<Family, 'name' | 'type'>): string =>
  name + SUFFIXES[type];

/**
 * Prometheus text 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats) or OpenMetrics 1.0
 * (prometheus.io/docs/specs/om/open_metrics_spec). Families without samples are told all the same.
 */
export function renderFamilies(families: readonly Family[], format: ExpositionFormat): string {
  const lines: string[] = [];
  for (const family of families) {
    lines.push(...metadata(family, format));
    if (family.type === 'histogram')
      for (const one of family.samples) pushHistogram(lines, family.name, one);
    else {
      const name = sampleName(family);
      for (const { labels, value } of family.samples) {
        lines.push(`${name}${labelText(labelPairs(labels))} ${numberText(value)}`);
      }
    }
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function metadata(family: Family, format: ExpositionFormat): string[] {
  const { name, type, help } = family;
  if (format === 'text') {
    const shown = sampleName(family);
    const kind = type === 'info' ? 'gauge' : type;
    return [`# HELP ${shown} ${escaped(help, false)}`, `# TYPE ${shown} ${kind}`];
  }
  const unit = /_(seconds|bytes)$/.exec(name)?.[1];
  return [
    `# TYPE ${name} ${type}`,
    ...(unit ? [`# UNIT ${name} ${unit}`] : []),
    `# HELP ${name} ${escaped(help, true)}`,
  ];
}

function pushHistogram(lines: string[], name: string, sample: HistogramSample): void {
  const { labels, bounds, counts, sum } = sample;
  const pairs = labelPairs(labels);
  let below = 0;
  for (const [i, count] of counts.entries()) {
    below += count;
    const bound = bounds[i];
    const le = bound === undefined ? '+Inf' : boundText(bound);
    lines.push(`${name}_bucket${labelText([...pairs, `le="${le}"`])} ${below}`);
  }
  lines.push(`${name}_sum${labelText(pairs)} ${numberText(sum)}`);
  lines.push(`${name}_count${labelText(pairs)} ${below}`);
}

const labelPairs = (labels: LabelSet): string[] =>
  Object.entries(labels).map(([name, value]) => `${name}="${escaped(value, true)}"`);

const labelText = (pairs: readonly string[]): string =>
  pairs.length === 0 ? '' : `{${pairs.join(',')}}`;

/** Quotes are escaped in label values, and in OpenMetrics in help texts too. */
function escaped(text: string, withQuotes: boolean): string {
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return withQuotes ? plain.replaceAll('"', '\\"') : plain;
}

/** With a decimal point in both formats, or a bucket would be another series in each. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`);

function numberText(value: number): string {
  if (Number.isFinite(value)) return `${value}`;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
