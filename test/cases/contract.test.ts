import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '@/lib/protocol/errors';
import { QUERIES, type LockPage, type QueryName } from '@/lib/protocol/queries';
import { parseExposition, valueOf } from '@/test/server/metrics/parse-exposition';
import { ADMIN_TOKEN } from '@/test/support/console';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis();

interface Operation {
  parameters?: { name: string; in: string }[];
  responses: Record<string, unknown>;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>;
}

const NAMES = Object.keys(QUERIES) as QueryName[];

describe('the reads', () => {
  // Those of one thing have its name in their path, and a dry run stands below the rules.
  const OF_ONE: QueryName[] = ['lock', 'past-lock', 'trace', 'discovery', 'alert', 'rule-dry-run'];
  /** What has to be said of those that are of no use without. */
  const NEEDED: Partial<Record<QueryName, () => Record<string, string>>> = {
    past: () => ({ at: `${Date.now()}` }),
    'heat-cell': () => ({ from: `${Date.now() - 60_000}`, to: `${Date.now()}` }),
  };
  it.each(NAMES.filter((name) => !OF_ONE.includes(name)))(
    '%s answers as its schema says',
    async (name) => {
      await at.client.set('lock:read', 'A', 'PX', 60_000);
      const needed = new URLSearchParams(NEEDED[name]?.()).toString();
      const answer = await at.console.request('GET', `/api/v1/${name}?${needed}`);
      expect(answer.status).toBe(200);
      expect(QUERIES[name].result.safeParse(answer.body).error).toBeUndefined();
    },
  );

  it('of deadlocks and targets are lists without an envelope', async () => {
    for (const name of ['deadlocks', 'targets'] as const) {
      expect(Array.isArray(await at.console.query(name))).toBe(true);
    }
  });

  it.each([
    ['cursor', 'locks?cursor=abc'],
    ['cursor', 'locks?cursor=-1'],
    ['cursor', 'audit?cursor=abc'],
    ['limit', 'locks?limit=0x10'],
    ['limit', 'audit?limit=1001'],
    ['from', 'waits?from=9&to=1'],
    ['from', 'classes?from=9&to=1'],
    ['from', 'audit?from=9&to=1'],
    ['from', 'heatmap?from=9&to=1'],
    ['at', 'holds?at=yesterday'],
  ])('refuse a %s that cannot be meant (%s)', async (field, path) => {
    const answer = await at.console.request('GET', `/api/v1/${path}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: 'INVALID_INPUT', details: { field } } },
    });
  });

  it('of locks are filtered by owner: the whole id, its instance, or its machine', async () => {
    const [instance, host] = ['5f0f0f0f-0000-4000-8000-000000000001', 'host-of-owner'];
    const value = `ADDED:2026-01-01T00:00:00Z@${host}:0b7e`;
    await at.client.set('job-lock:default:owned', value, 'PX', 60_000);
    await at.client.hset('qoder:lock:owned', `${instance}:7`, 1);
    await at.client.pexpire('qoder:lock:owned', 60_000);
    const found = async (owner: string): Promise<string[]> =>
      (await at.console.query('locks', { owner })).items.map(({ key }) => key);
    await at.console.heldBy('qoder:lock:owned', `${instance}:7`);
    await at.console.heldBy('job-lock:default:owned', value);
    expect(await found(host)).toEqual(['job-lock:default:owned']);
    expect(await found(value)).toEqual(['job-lock:default:owned']);
    expect(await found(instance)).toEqual(['qoder:lock:owned']);
    expect(await found(`${instance}:7`)).toEqual(['qoder:lock:owned']);
  });

  it('go through all pages by the cursor, each lock once', async () => {
    for (let n = 0; n < 7; n++) await at.client.set(`lock:page:${n}`, 'A', 'PX', 60_000);
    await until('all are listed', async () => {
      const { total } = await at.console.query('locks', { q: 'lock:page:', limit: '1' });
      return total === 7;
    });
    const keys: string[] = [];
    let cursor: string | null = null;
    do {
      const page: LockPage = await at.console.query('locks', {
        ...{ q: 'lock:page:', limit: '3' },
        ...(cursor ? { cursor } : {}),
      });
      keys.push(...page.items.map(({ key }) => key));
      cursor = page.cursor;
    } while (cursor);
    expect(keys).toEqual(Array.from({ length: 7 }, (_, n) => `lock:page:${n}`));
  });
});

describe('an error', () => {
  it.each([
    ['GET', '/api/v1/nothing', 404],
    ['POST', '/api/v1/nothing', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/v1/locks/x/0/%ZZ', 422],
    ['POST', '/api/v1/account/password', 403],
  ])('of %s %s is JSON with a code', async (method, path, status) => {
    const body = method === 'POST' ? { newPassword: 'of-a-token-12' } : undefined;
    const answer = await at.console.request(method, path, { body });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      error: { code: expect.toBeOneOf(ERROR_CODES), message: expect.any(String) },
    });
  });

  it('says that a body is not JSON', async () => {
    const answer = await at.console.request('POST', '/api/v1/locks/release-preview', {
      body: ['not', 'an object'],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringMatching(/JSON object/) } },
    });
  });

  it('of a list to release never takes another db for the one that is missing', async () => {
    await at.client.set('lock:db', 'A', 'PX', 60_000);
    const { target, keyB64, hold } = await at.console.heldBy('lock:db', 'A');
    const items = [{ target, db: null, keyB64, version: hold?.version }];
    const answer = await at.console.request('POST', '/api/v1/locks/release-many', {
      body: { items, reason: 'no db' },
    });
    expect(answer.status).toBe(422);
    expect(await at.client.get('lock:db')).toBe('A');
  });
});

describe('the OpenAPI document', () => {
  it('names only what there is, with the methods there are', async () => {
    const { paths } = await at.console.get<OpenApi>('/openapi.json');
    for (const [path, operations] of Object.entries(paths)) {
      const root = operations.servers?.[0]?.url === '/' ? '' : '/api/v1';
      const url = root + path.replaceAll(/\{db\}/g, '0').replaceAll(/\{\w+\}/g, 'bG9jazph');
      for (const method of ['get', 'post', 'delete'].filter((each) => each in operations)) {
        const body = method === 'get' ? undefined : {};
        const verb = method.toUpperCase();
        const answer = await at.console.request(verb, url, { body });
        expect(JSON.stringify(answer.body), url).not.toContain(`There is no ${verb} `);
        expect(answer.status, `${method} ${url}`).not.toBe(405);
      }
    }
  });

  it('has every query with its parameters', async () => {
    const { paths } = await at.console.get<OpenApi>('/openapi.json');
    const parameters = paths['/locks']?.['get']?.parameters;
    const locks = parameters?.map(({ name }) => name);
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: 1000 },
      }),
    );
    for (const name of [
      'q',
      'state',
      'format',
      'class',
      'owner',
      'namespace',
      'sort',
      'limit',
      'cursor',
    ]) {
      expect(locks).toContain(name);
    }
  });
});

describe('the metrics', () => {
  it.each([
    ['text', 'text/plain; version=0.0.4; charset=utf-8', '*/*'],
    [
      'openmetrics',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3',
    ],
  ] as const)('are %s for who asks for it', async (format, type, accept) => {
    const headers = { accept, authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetch(`${at.console.url}/metrics`, { headers });
    expect(answer.headers.get('content-type')).toBe(type);
    const families = parseExposition(await answer.text(), format);
    expect(valueOf(families, 'lockscope_node_connected')).toBe(1);
  });
});
