import { describe, expect, it } from 'vitest';
import { formatFor } from '@/server/metrics/accept';
import { expositionOf, type Family } from '@/server/metrics/exposition';
import { lintMetrics } from './lint-metrics';
import { parseExposition, valueOf } from './parse-exposition';

const rendered = (format: 'text' | 'openmetrics'): string =>
  [...expositionOf(FAMILIES, format)].join('');

const FAMILIES: Family[] = [
  {
    name: 'shop_orders',
    type: 'counter',
    help: 'Orders "paid" or\nnot, in C:\\shop.',
    samples: [{ labels: { shop: 'a"b\\c\nd' }, value: 3 }],
  },
  {
    name: 'shop_build',
    type: 'info',
    help: 'What runs.',
    samples: [{ labels: { version: '1.2' }, value: 1 }],
  },
  {
    name: 'shop_pause_seconds',
    type: 'histogram',
    help: 'Pauses.',
    samples: [{ labels: { shop: 'x' }, bounds: [0.5, 1], counts: [1, 2, 4], sum: 9.25 }],
  },
  { name: 'shop_disk_bytes', type: 'gauge', help: 'Disk.', samples: [] },
];

describe('the exposition', () => {
  it('in text names counters and infos whole, and has no unit', () => {
    expect(rendered('text').split('\n')).toEqual([
      '# HELP shop_orders_total Orders "paid" or\\nnot, in C:\\\\shop.',
      '# TYPE shop_orders_total counter',
      'shop_orders_total{shop="a\\"b\\\\c\\nd"} 3',
      '# HELP shop_build_info What runs.',
      '# TYPE shop_build_info gauge',
      'shop_build_info{version="1.2"} 1',
      '# HELP shop_pause_seconds Pauses.',
      '# TYPE shop_pause_seconds histogram',
      'shop_pause_seconds_bucket{shop="x",le="0.5"} 1',
      'shop_pause_seconds_bucket{shop="x",le="1.0"} 3',
      'shop_pause_seconds_bucket{shop="x",le="+Inf"} 7',
      'shop_pause_seconds_sum{shop="x"} 9.25',
      'shop_pause_seconds_count{shop="x"} 7',
      '# HELP shop_disk_bytes Disk.',
      '# TYPE shop_disk_bytes gauge',
      '',
    ]);
  });

  it('in OpenMetrics names families without suffixes, tells units, and ends with EOF', () => {
    const lines = rendered('openmetrics').split('\n');
    expect(lines.slice(0, 6)).toEqual([
      '# TYPE shop_orders counter',
      '# HELP shop_orders Orders \\"paid\\" or\\nnot, in C:\\\\shop.',
      'shop_orders_total{shop="a\\"b\\\\c\\nd"} 3',
      '# TYPE shop_build info',
      '# HELP shop_build What runs.',
      'shop_build_info{version="1.2"} 1',
    ]);
    expect(lines).toContain('# UNIT shop_pause_seconds seconds');
    expect(lines).toContain('# UNIT shop_disk_bytes bytes');
    expect(lines.slice(-2)).toEqual(['# EOF', '']);
  });

  it.each(['text', 'openmetrics'] as const)('in %s is read back as it was', (format) => {
    const parsed = parseExposition(rendered(format), format);
    expect(valueOf(parsed, 'shop_orders_total', { shop: 'a"b\\c\nd' })).toBe(3);
    expect(valueOf(parsed, 'shop_pause_seconds_bucket', { le: '1.0' })).toBe(3);
    expect(parsed).toHaveLength(4);
  });

  it('is checked by rules that find what is wrong', () => {
    const text = [
      '# TYPE shopOrders counter\nshopOrders 1',
      '# HELP a_milliseconds_total x\n# TYPE a_milliseconds_total gauge\na_milliseconds_total{le="1"} 1',
      '# HELP a_ms_count x\n# TYPE a_ms_count gauge\na_ms_count 1',
      '# HELP a_timestamp_seconds x\n# TYPE a_timestamp_seconds counter',
      '# HELP a_gauge x\n# TYPE a_gauge gauge',
    ];
    expect(lintMetrics(parseExposition(`${text.join('\n')}\n`, 'text'))).toEqual([
      'shopOrders: no help text',
      'shopOrders: a counter without _total',
      'shopOrders: camel case',
      'a_milliseconds_total: no base unit',
      'a_milliseconds_total: _total and no counter',
      'a_milliseconds_total: a label of histograms',
      'a_ms_count: a name of histograms',
      'a_ms_count: an abbreviated unit',
      'a_timestamp_seconds: a counter without _total',
      'a_timestamp_seconds: a timestamp and no gauge',
      'a_gauge: its type in its name',
    ]);
  });

  it.each([
    ['a family twice', '# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n'],
    ['a sample twice', '# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ['a foreign sample', '# TYPE a gauge\nb 1\n'],
    ['a histogram that falls', '# TYPE a histogram\na_bucket{le="1.0"} 2\na_bucket{le="+Inf"} 1\n'],
    ['a quote in a label', '# TYPE a gauge\na{x="1"2"} 1\n'],
    ['no end of line', '# TYPE a gauge\na 1'],
  ])('is refused by the reader with %s', (_what, text) => {
    expect(() => parseExposition(text, 'text')).toThrow();
  });
});

describe('the Accept header', () => {
  const PROMETHEUS =
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,' +
    'application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
  it.each([
    [null, 'text'],
    ['*/*', 'text'],
    ['text/html,*/*;q=0.8', 'text'],
    ['application/openmetrics-text', 'openmetrics'],
    ['Application/OpenMetrics-Text; Version="1.0.0"; charset=utf-8', 'openmetrics'],
    ['application/openmetrics-text; version=0.0.1', 'text'],
    ['application/openmetrics-text;q=0', 'text'],
    ['application/openmetrics-text;q=x', 'text'],
    ['application/openmetrics-text;q=0.3,text/plain;q=0.8', 'text'],
    [PROMETHEUS, 'openmetrics'],
  ])('%s gets %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });
});
