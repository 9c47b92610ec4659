export interface ParsedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  name: string;
  type: string;
  help: string;
  unit: string | null;
  samples: ParsedSample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const METADATA = new RegExp(`^# (HELP|TYPE|UNIT) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const NUMBER = /^(NaN|[+-]Inf|[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)$/;

/** What may follow a family's name in its samples. */
const SUFFIXES: Record<string, Record<string, readonly string[]>> = {
  text: { gauge: [''], counter: [''], histogram: ['_bucket', '_sum', '_count'] },
  openmetrics: {
    gauge: [''],
    counter: ['_total', '_created'],
    info: ['_info'],
    histogram: ['_bucket', '_sum', '_count', '_created'],
  },
};

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [whole, name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`labels cannot be read: ${line}`);
    if (name in labels) throw new Error(`the label ${name} stands twice: ${line}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_all, c: string) => (c === 'n' ? '\n' : c));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function parseSample(line: string): ParsedSample {
  const [whole, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (whole === undefined || !NUMBER.test(value)) throw new Error(`no sample: ${line}`);
  const number = value.endsWith('Inf') ? Number(value.replace('Inf', 'Infinity')) : Number(value);
  return { name, labels: parseLabels(labels, line), value: number };
}

const sameButLe = ({ labels }: ParsedSample): string =>
  JSON.stringify(Object.entries(labels).filter(([name]) => name !== 'le'));

/** Buckets rise to +Inf, which is the count; each label set has all three parts, one behind the other. */
function checkHistogram({ name, samples }: ParsedFamily): void {
  const sets = Map.groupBy(samples, sameButLe);
  for (const [labels, set] of sets) {
    const buckets = set.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map((sample) =>
      Number(sample.labels['le']?.replace('+Inf', 'Infinity')),
    );
    const counts = buckets.map(({ value }) => value);
    const isRising = (numbers: number[], strictly: boolean): boolean =>
      numbers.every((n, i) => {
        const before = numbers[i - 1] ?? Number.NEGATIVE_INFINITY;
        return strictly ? n > before : n >= before;
      });
    const count = set.find((sample) => sample.name === `${name}_count`)?.value;
    const isWhole =
      bounds.at(-1) === Infinity &&
      isRising(bounds, true) &&
      isRising(counts, false) &&
      counts.at(-1) === count &&
      set.some((sample) => sample.name === `${name}_sum`);
    if (!isWhole) throw new Error(`the histogram ${name}${labels} is not whole`);
  }
}

function check(family: ParsedFamily, format: 'text' | 'openmetrics'): void {
  const { name, type, samples, unit } = family;
  const suffixes = SUFFIXES[format]?.[type];
  if (!suffixes) throw new Error(`${name} is of no type of this format: "${type}"`);
  const allowed = suffixes.map((suffix) => name + suffix);
  const seen = new Set<string>();
  for (const sample of samples) {
    if (!allowed.includes(sample.name)) throw new Error(`${sample.name} in the family ${name}`);
    const id = `${sample.name}${JSON.stringify(Object.entries(sample.labels).toSorted())}`;
    if (seen.has(id)) throw new Error(`${id} stands twice`);
    seen.add(id);
    const isNegative = !(sample.value >= 0) && type !== 'gauge';
    if (isNegative) throw new Error(`${id} is ${sample.value}`);
  }
  const sets = samples.map(sameButLe);
  if (sets.some((set, i) => set !== sets[i - 1] && sets.indexOf(set) < i)) {
    throw new Error(`the samples of one label set of ${name} do not stand together`);
  }
  if (unit !== null && !name.endsWith(`_${unit}`)) throw new Error(`${name} is not in ${unit}`);
  if (type === 'histogram') checkHistogram(family);
}

/**
 * Reads Prometheus text 0.0.4 or OpenMetrics 1.0 and throws where it is not as the specification says: one family after
 * the other, its metadata once and before its samples, nothing twice, the suffixes of its type, whole histograms.
 */
export function parseExposition(text: string, format: 'text' | 'openmetrics'): ParsedFamily[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const lines = text.slice(0, -1).split('\n');
  if (format === 'openmetrics' && lines.pop() !== '# EOF') throw new Error('# EOF is missing');
  const families = new Map<string, ParsedFamily>();
  const known = new Set<string>();
  let current: ParsedFamily | undefined;
  for (const line of lines) {
    const [, keyword, name = '', content = ''] = METADATA.exec(line) ?? [];
    if (keyword === undefined) {
      if (!current) throw new Error(`a sample of no family: ${line}`);
      current.samples.push(parseSample(line));
      continue;
    }
    if (name !== current?.name) {
      if (families.has(name)) throw new Error(`${name} begins twice`);
      current = { name, type: 'unknown', help: '', unit: null, samples: [] };
      families.set(name, current);
    }
    if (current.samples.length > 0) throw new Error(`${keyword} of ${name} after its samples`);
    if (known.has(`${keyword} ${name}`)) throw new Error(`${keyword} of ${name} twice`);
    known.add(`${keyword} ${name}`);
    if (keyword === 'TYPE') current.type = content;
    else if (keyword === 'HELP') current.help = content;
    else if (format === 'text') throw new Error(`UNIT in text: ${line}`);
    else current.unit = content;
  }
  for (const family of families.values()) check(family, format);
  return [...families.values()];
}

/** Value of the sample of that name with (at least) those labels; undefined = there is none. */
export function valueOf(
  families: readonly ParsedFamily[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  return families
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value;
}
