import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from '@/test/support/source-tree';
import { putLoad, startLoadedConsole, type LoadedConsole } from './console-under-load';
import { lintMetrics } from './lint-metrics';
import { valueOf, type ParsedFamily } from './parse-exposition';
import { until } from '@/test/support/until';

let at: LoadedConsole;
let text: ParsedFamily[];

beforeAll(async () => {
  at = await startLoadedConsole();
  await putLoad(at);
  // The size of the database and how late events are is measured now and then.
  text = await until('every family has samples', async () => {
    const families = await at.scrape();
    return families.every(({ samples }) => samples.length > 0) ? families : null;
  });
});
afterAll(async () => await at?.stop());

const labelsOf = ({ samples, type }: ParsedFamily): string[] => {
  const names = samples.flatMap(({ labels }) => Object.keys(labels));
  return [...new Set(names)].filter((name) => type !== 'histogram' || name !== 'le').toSorted();
};

/** Label names by the name of each sample, of which a histogram has three. */
function exportedLabels(): Map<string, Set<string>> {
  const exported = new Map<string, Set<string>>();
  for (const { name, labels } of text.flatMap(({ samples }) => samples)) {
    const known = exported.get(name) ?? new Set();
    for (const label of Object.keys(labels)) known.add(label);
    exported.set(name, known);
  }
  return exported;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('what a console under load exports', () => {
  it('has no fault that promlint finds', () => {
    expect(lintMetrics(text)).toEqual([]);
  });

  it('is the same in OpenMetrics, in the base units of its names', async () => {
    const open = await at.scrape('openmetrics');
    expect(open).toHaveLength(text.length);
    for (const { name, unit } of open) {
      expect({ name, unit }).toEqual({ name, unit: /_(seconds|bytes)$/.exec(name)?.[1] ?? null });
    }
    const names = (families: ParsedFamily[]) =>
      families.flatMap(({ samples }) => samples.map((sample) => sample.name));
    expect(new Set(names(open))).toEqual(new Set(names(text)));
  });

  it('tells waiters of the class that can be counted and of no other', () => {
    const samples = text.find(({ name }) => name === 'lockscope_class_waiters')?.samples ?? [];
    expect(samples.map(({ labels }) => labels['class'])).toEqual(['qoder:lock:order:*']);
    const polled = { class: 'import:*' };
    expect(valueOf(text, 'lockscope_class_waiters_observable', polled)).toBe(0);
    expect(valueOf(text, 'lockscope_class_failed_attempts_total', polled)).toBeUndefined();
    expect(valueOf(text, 'lockscope_class_held_locks', polled)).toBe(1);
  });

  it('names no lock and no owner', async () => {
    const { body } = await at.runtime.handle.metrics(null);
    expect(body).not.toMatch(/order:1|import:2|0b7e2c9e/);
  });
});

describe('docs/metrics.md', () => {
  it('lists exactly the families that are exported, with types and labels', () => {
    const rows = read('docs/metrics.md')
      .split('\n')
      .flatMap((line) => {
        const [, name, type, labels = ''] = /^\| `(\w+)` \| (\w+) \| ([^|]*)\|/.exec(line) ?? [];
        return name === undefined ? [] : [{ name, type, labels: labels.match(/\w+/g) ?? [] }];
      });
    const exported = text.map((family) => ({
      name: family.name,
      type: family.type,
      labels: labelsOf(family),
    }));
    const sorted = (list: { name: string; labels: string[] }[]) =>
      list
        .map((each) => ({ ...each, labels: each.labels.toSorted() }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(sorted(rows)).toEqual(sorted(exported));
  });
});

const Target = z.object({ expr: z.string(), refId: z.string() });
const Panel = z.object({
  id: z.number().int(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
  datasource: z
    .object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') })
    .optional(),
  targets: z.array(Target).optional(),
});
const Dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.number(),
  panels: z.array(Panel),
  templating: z.object({
    list: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        query: z.union([z.string(), z.object({ query: z.string() })]),
      }),
    ),
  }),
});

/** The scraper adds these itself. */
const SCRAPED = ['job', 'instance'];
const OUR_NAME = /\b((?:lockscope|process)_\w+)(?:\{([^}]*)\})?/g;

/** Metrics that an expression names, each with the labels that it is asked for. */
function namedIn(expression: string): { name: string; labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(
    ([, list]) => list?.match(/\w+/g) ?? [],
  );
  return [...expression.matchAll(OUR_NAME)].map(([, name = '', selector = '']) => {
    const selected = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(
      ([, label]) => label ?? '',
    );
    return { name, labels: [...selected, ...grouped] };
  });
}

function expectExported(expressions: readonly string[]): void {
  const exported = exportedLabels();
  const named = expressions.flatMap(namedIn);
  expect(named.length).toBeGreaterThan(0);
  for (const { name, labels } of named) {
    const known = exported.get(name);
    expect(known, `${name} is exported`).toBeDefined();
    const unknown = labels.filter((label) => !known?.has(label) && !SCRAPED.includes(label));
    expect({ name, unknown }).toEqual({ name, unknown: [] });
  }
}

describe('the Grafana dashboard', () => {
  const dashboard = Dashboard.parse(JSON.parse(read('docs/grafana/lockscope.json')));
  const variables = dashboard.templating.list;
  const expressions = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr),
  );

  it('asks only for metrics and labels that are exported', () => {
    expectExported(expressions);
    const queries = variables.flatMap(({ type, query }) =>
      type === 'query' && typeof query === 'object' ? [query.query] : [],
    );
    expectExported(queries);
    for (const query of queries) {
      const [, name = '', label = ''] =
        /label_values\((\w+)[^,]*(?:,[^}]*\})?, (\w+)\)/.exec(query) ?? [];
      const labels = [...(exportedLabels().get(name) ?? []), ...SCRAPED];
      expect(labels, query).toContain(label);
    }
  });

  it('has panels with ids of their own, in their places, on a source that one chooses', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(variables).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
    );
    for (const panel of dashboard.panels.filter(({ type }) => type !== 'row')) {
      expect(panel.datasource, panel.title).toBeDefined();
      expect(panel.targets?.length, panel.title).toBeGreaterThan(0);
    }
    const isOver = (a: z.infer<typeof Panel>, b: z.infer<typeof Panel>): boolean => {
      const [p, q] = [a.gridPos, b.gridPos];
      return p.x < q.x + q.w && q.x < p.x + p.w && p.y < q.y + q.h && q.y < p.y + p.h;
    };
    for (const a of dashboard.panels) {
      expect(a.gridPos.x + a.gridPos.w).toBeLessThanOrEqual(24);
      const covered = dashboard.panels.filter((b) => b.id > a.id && isOver(a, b));
      expect(covered.map(({ title }) => `${a.title} / ${title}`)).toEqual([]);
    }
  });

  it('knows every variable that it uses', () => {
    const own = [...variables.map(({ name }) => name), '__rate_interval', '__all'];
    const used = [...read('docs/grafana/lockscope.json').matchAll(/\$\{?(\w+)\}?/g)];
    expect(used.map(([, name]) => name).filter((name) => !own.includes(name ?? ''))).toEqual([]);
  });

  it('is joined by alerting rules that name what is exported', () => {
    const [, ...rules] = read('docs/metrics.md').split('- alert: ');
    expect(rules.length).toBeGreaterThanOrEqual(3);
    for (const rule of rules) expectExported([rule.replaceAll(/\{\{.*?\}\}/g, '')]);
  });
});
