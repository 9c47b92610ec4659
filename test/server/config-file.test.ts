import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings, type Settings } from '@/server/config';
import { closest } from '@/server/setting';
import { ROOT } from '@/test/support/source-tree';

let dir: string;
let path: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lockscope-file-'));
  path = join(dir, 'lock.yaml');
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function load(content: string): Promise<Settings> {
  await writeFile(path, content);
  return loadSettings({ LOCKSCOPE_CONFIG: path });
}

const provider = (...fields: string[]): string =>
  ['redis-lock-provider:', ...fields.map((field) => `  ${field}`)].join('\n');
const SEED = provider(
  'enabled: true',
  'redis_url: redis://10.24.1.5:6379/2',
  'redis_password: "aBc$9xY!2"',
);

describe('config/lock.yaml', () => {
  test('is read as the guide writes it', async () => {
    const settings = await load(SEED);
    expect(settings.redis).toMatchObject({
      url: 'redis://:aBc%249xY!2@10.24.1.5:6379/2',
      displayUrl: 'redis://10.24.1.5:6379/2',
      db: 2,
    });
    expect(settings.provider).toEqual({
      file: path,
      enabled: true,
      lockTimeoutMs: 30_000,
      retryDelayMs: null,
      lockKeyTemplates: [],
    });
  });

  test('takes one template or a list of them', async () => {
    const one = await load(`${SEED}\n  lock_key_template: "order_sync:\${event.order_no}"`);
    expect(one.provider.lockKeyTemplates).toEqual(['order_sync:${event.order_no}']);
    const two = await load(`${SEED}\n  lock_key_template: ["a:\${event.a}", "b:\${event.b}"]`);
    expect(two.provider.lockKeyTemplates).toEqual(['a:${event.a}', 'b:${event.b}']);
  });

  test('of the project names every field, each with a value that is accepted', async () => {
    const example = await readFile(join(ROOT, 'config', 'lock.yaml'), 'utf8');
    const settings = await load(example.replaceAll(/^# ?(?=( {2}|[a-z-]+:$))/gm, ''));
    expect(settings.provider).toMatchObject({
      lockTimeoutMs: 30_000,
      retryDelayMs: 45_000,
      lockKeyTemplates: ['log_analysis:${event.log_id}', 'order_sync:${event.order_no}'],
    });
    expect(settings.dbs).toEqual([0, 5]);
    const unnamed = ['enabled', 'redis_url', 'retry_delay_ms', 'data_dir', 'no_expiry_ms'].filter(
      (field) => !example.includes(`${field}:`),
    );
    expect(unnamed).toEqual([]);
  });

  test('may have a section without fields', async () => {
    await expect(load('redis-lock-provider:\nlockscope:\n')).rejects.toThrow(
      /LOCKSCOPE_REDIS_URL is not set, nor redis-lock-provider\.redis_url in .*lock\.yaml/,
    );
  });
});

describe('one sentence names the file, the field and the remedy', () => {
  test.each([
    [provider('redis_uri: x'), /redis-lock-provider\.redis_uri; did you mean redis_url\?/],
    [provider('redisUrl: x'), /redisUrl; did you mean redis_url\?/],
    [provider('url: x'), /url; did you mean redis_url\?/],
    [provider('password: x'), /password; did you mean redis_password\?/],
    [provider('lock-timeout: 5'), /lock-timeout; did you mean lock_timeout_ms\?/],
    [provider('colour: red'), /colour; known are enabled, redis_url, redis_password/],
    ['redis_lock_provider:\n  enabled: true', /did you mean redis-lock-provider\?/],
    [
      'redis_url: redis://h/0',
      /redis_url is in the wrong place; it belongs into the section redis-lock/,
    ],
    [provider('port: 3000'), /port is in the wrong place; it belongs into the section lockscope/],
    [provider('enabled: "yes"'), /enabled must be true or false \(it is text\)/],
    [provider('lock_timeout_ms: soon'), /lock_timeout_ms must be a whole number of milliseconds/],
    [provider('lock_timeout_ms: 0'), /lock_timeout_ms .*\(it is 0\)/],
    [provider('retry_delay_ms: 1.5'), /retry_delay_ms .*\(it is 1\.5\)/],
    [provider('lock_key_template: 7'), /lock_key_template must be a template like/],
    [provider('lock_key_template: ["a", 7]'), /lock_key_template must be a template like/],
    [provider('redis_url:'), /redis_url must be text like .*\(it is empty\)/],
    ['redis-lock-provider: yes please', /redis-lock-provider must be a section of fields/],
    ['- a\n- b', /the file must be a section of fields, but is a list/],
    ['a: [', /is not valid YAML/],
    [
      `${SEED}\n  redis_url: redis://other:1/0`,
      /redis_url is given twice, again in line 5; keep one/,
    ],
    [
      provider('lock_key_template: "a:${event.a}"', 'lock_key_template: "b:${event.b}"'),
      /lock_key_template is given twice, again in line 3; write one list/,
    ],
    [
      provider('redis_url: redis://:one@h:1/0', 'redis_password: two'),
      /redis_url: the password is given twice.*take it out of the URL/,
    ],
    [
      provider('redis_url: http://h'),
      /lock\.yaml: redis-lock-provider\.redis_url must begin with redis:/,
    ],
    [provider('redis_url: redis://h/two'), /redis_url \(the number after the \/\)/],
  ])('%j', async (content, sentence) => {
    const error = await load(content).then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code: 'BAD_SETTING' });
    expect(error?.message).toMatch(sentence);
    expect(error?.message).toMatch(/lock\.yaml/);
    expect(error?.message).not.toContain('\n');
  });

  test.each([
    provider('redis_password: 12345'),
    provider('redis_password: ["s3cret"]'),
    provider('redis_url: redis://:s3cret@h:1/0', 'redis_password: s3cret'),
    provider('redis_url: redis:://:s3cret@h'),
    provider('redis_url: redis://u:s3cret%@h'),
  ])('without showing the password: %j', async (content) => {
    await expect(load(content)).rejects.toThrow(expect.objectContaining({ code: 'BAD_SETTING' }));
    await expect(load(content)).rejects.not.toThrow(/12345|s3cret/);
  });
});

describe('what was probably meant', () => {
  test.each([
    ['lock_timeout_sm', 'lock_timeout_ms'],
    ['REDIS-URL', 'redis_url'],
    ['template', 'lock_key_template'],
    ['redis', null],
    ['x', null],
  ])('by %s is %s', (word, meant) => {
    const known = ['redis_url', 'redis_password', 'lock_timeout_ms', 'lock_key_template'];
    expect(closest(word, known)).toBe(meant);
  });
});
