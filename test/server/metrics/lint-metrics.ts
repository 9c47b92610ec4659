import type { ParsedFamily } from './parse-exposition';

const BASE_UNITS = [
  ...['amperes', 'bytes', 'celsius', 'grams', 'joules', 'kelvin'],
  ...['meters', 'metres', 'seconds', 'volts'],
];
const OTHER_UNITS = [
  ...['minutes', 'hours', 'days', 'weeks', 'kelvins', 'fahrenheit', 'rankine', 'inches'],
  ...['yards', 'miles', 'bits', 'calories', 'pounds', 'ounces'],
];
const PREFIXES = [
  ...['pico', 'nano', 'micro', 'milli', 'centi', 'deci', 'deca', 'hecto', 'kilo', 'kibi'],
  ...['mega', 'mibi', 'giga', 'gibi', 'tera', 'tebi', 'peta', 'pebi'],
];
const ABBREVIATIONS = [
  's',
  'ms',
  'us',
  'ns',
  'sec',
  'b',
  'kb',
  'mb',
  'gb',
  'tb',
  'pb',
  'm',
  'h',
  'd',
];
const TYPES = ['counter', 'gauge', 'summary', 'histogram', 'gauge_histogram'];

const hasPart = (name: string, part: string): boolean =>
  `${name}_`.toLowerCase().includes(`_${part}_`);

const isOtherUnit = (word: string): boolean =>
  OTHER_UNITS.includes(word) ||
  PREFIXES.some((prefix) => {
    const unit = word.startsWith(prefix) ? word.slice(prefix.length) : '';
    return BASE_UNITS.includes(unit) || OTHER_UNITS.includes(unit);
  });

type Rule = (family: ParsedFamily) => boolean;

/** What promlint finds fault with, by its rules (prometheus/client_golang, testutil/promlint/validations). */
const FAULTS: Record<string, Rule> = {
  'no help text': ({ help }) => help === '',
  'no base unit': ({ name }) => name.split('_').some(isOtherUnit),
  'a counter without _total': ({ name, type }) => type === 'counter' && !name.endsWith('_total'),
  '_total and no counter': ({ name, type }) => type !== 'counter' && name.endsWith('_total'),
  'a timestamp and no gauge': ({ name, type }) =>
    type !== 'gauge' && name.endsWith('_timestamp_seconds'),
  'a name of histograms': ({ name, type }) =>
    type !== 'histogram' && /_(bucket|count|sum)$/.test(name),
  'a label of histograms': ({ type, samples }) =>
    type !== 'histogram' && samples.some(({ labels }) => 'le' in labels),
  'a label of summaries': ({ samples }) => samples.some(({ labels }) => 'quantile' in labels),
  'its type in its name': ({ name }) => TYPES.some((type) => hasPart(name, type)),
  'a colon': ({ name }) => name.includes(':'),
  'camel case': ({ name, samples }) =>
    [name, ...samples.flatMap(({ labels }) => Object.keys(labels))].some((each) =>
      /[a-z][A-Z]/.test(each),
    ),
  'an abbreviated unit': ({ name }) => ABBREVIATIONS.some((unit) => hasPart(name, unit)),
};

/** Each fault of each family, as `name: fault`; of families read from text. */
export const lintMetrics = (families: readonly ParsedFamily[]): string[] =>
  families.flatMap((family) =>
    Object.entries(FAULTS)
      .filter(([, isFault]) => isFault(family))
      .map(([fault]) => `${family.name}: ${fault}`),
  );
