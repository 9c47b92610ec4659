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
const sampleName = ({ name, type }: Pick<Family, 'name' | 'type'>): string => name + SUFFIXES[type];

/**
 * Prometheus text 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats) or OpenMetrics 1.0
 * (prometheus.io/docs/specs/om/open_metrics_spec), some lines at a time. Families without samples are told all the same.
 */
export function* expositionOf(
  families: Iterable<Family>,
  format: ExpositionFormat,
): Generator<string> {
  for (const family of families) {
    yield metadata(family, format);
    if (family.type === 'histogram') {
      for (const sample of family.samples) yield histogramText(family.name, sample);
    } else {
      const name = sampleName(family);
      for (const { labels, value } of family.samples) {
        yield `${name}${braced(labelText(labels))} ${numberText(value)}\n`;
      }
    }
  }
  if (format === 'openmetrics') yield '# EOF\n';
}

function metadata(family: Family, format: ExpositionFormat): string {
  const { name, type, help } = family;
  if (format === 'text') {
    const shown = sampleName(family);
    const kind = type === 'info' ? 'gauge' : type;
    return `# HELP ${shown} ${escaped(help, false)}\n# TYPE ${shown} ${kind}\n`;
  }
  const unit = /_(seconds|bytes)$/.exec(name)?.[1];
  const unitLine = unit ? `# UNIT ${name} ${unit}\n` : '';
  return `# TYPE ${name} ${type}\n${unitLine}# HELP ${name} ${escaped(help, true)}\n`;
}

function histogramText(name: string, sample: HistogramSample): string {
  const { labels, bounds, counts, sum } = sample;
  const text = labelText(labels);
  const head = `${name}_bucket{${text}${text === '' ? '' : ','}le="`;
  let lines = '';
  let below = 0;
  for (const [i, count] of counts.entries()) {
    below += count;
    const bound = bounds[i];
    lines += `${head}${bound === undefined ? '+Inf' : boundText(bound)}"} ${below}\n`;
  }
  const whole = braced(text);
  return `${lines}${name}_sum${whole} ${numberText(sum)}\n${name}_count${whole} ${below}\n`;
}

const labelText = (labels: LabelSet): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value, true)}"`)
    .join(',');

const braced = (text: string): string => (text === '' ? '' : `{${text}}`);

/** Quotes are escaped in label values, and in OpenMetrics in help texts too. */
function escaped(text: string, withQuotes: boolean): string {
  if (!/[\\\n"]/.test(text)) return text;
  const plain = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return withQuotes ? plain.replaceAll('"', '\\"') : plain;
}

/** With a decimal point in both formats, or a bucket would be another series in each. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : `${bound}`);

function numberText(value: number): string {
  if (Number.isFinite(value)) return `${value}`;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
