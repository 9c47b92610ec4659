import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '@/test/support/free-port';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { COMMONJS_CONSUMER, CONSUMER, tsconfig } from './consumer';
import { documentedPrograms } from './documented-programs';
import { installPackage, type Installed } from './installed-package';

const PASSWORD = 'aBc$9xY!2';
const MEGABYTE = 1_000_000;
const MINUTE = 60_000;
let redis: TestRedis;
let installed: Installed;

const settings = (port: number): string => `redis-lock-provider:
  redis_url: redis://127.0.0.1:${redis.port}/0
  redis_password: "${PASSWORD}"
  lock_key_template: "order_sync:\${event.order_no}"
lockscope:
  port: ${port}
`;

beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  installed = await installPackage();
  await installed.write('config/lock.yaml', settings(await freePort()));
  await installed.write('esm.ts', CONSUMER);
  await installed.write('older.cts', COMMONJS_CONSUMER);
  await installed.write('tsconfig.json', tsconfig(['esm.ts', 'older.cts']));
}, 10 * MINUTE);
afterAll(async () => {
  await installed.remove();
  await redis.stop();
});

describe('what is in the package', () => {
  it('is what runs, without sources, tests or what a build leaves behind', () => {
    const strange = installed.files.filter(
      (path) =>
        /^(app|components|server|test)\//.test(path) ||
        /^lib\/.*\.tsx?$/.test(path) ||
        /^dist\/(perf|bench|scratch)/.test(path) ||
        /^\.next\/(cache|dev|trace)/.test(path) ||
        /tsbuildinfo|\.env|auth-secret/.test(path),
    );
    expect(strange).toEqual([]);
    expect(installed.packedBytes).toBeLessThan(10 * MEGABYTE);
  });
});

describe('a program that installed the package', { timeout: 10 * MINUTE }, () => {
  it('is checked by its compiler, and runs', async () => {
    expect(await installed.tsc('-p', '.')).toEqual({ code: 0, out: '', err: '' });
    const esm = await installed.node('out/esm.js', redis.url);
    expect(esm).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(esm.out)).toEqual({
      name: 'order_sync:7',
      isFenced: true,
      remaining: 1,
      triggered: 'string',
      limit: 9,
      byProvider: 'qoder:lock:order_sync:8',
      refused: 'TEMPLATE_VARIABLE_MISSING',
    });
    expect(await installed.node('out/older.cjs', redis.url)).toEqual({
      code: 0,
      out: 'qoder:lock:by-require function\n',
      err: '',
    });
  });

  it('can be any that a document shows, as it stands there', async () => {
    const programs = await documentedPrograms(redis.url);
    expect(programs.length).toBeGreaterThan(8);
    for (const { name, text } of programs) await installed.write(`${name}.ts`, text);
    await installed.write('tsconfig.json', tsconfig(programs.map(({ name }) => `${name}.ts`)));
    expect(await installed.tsc('-p', '.')).toEqual({ code: 0, out: '', err: '' });
    for (const { name, args } of programs) {
      const ran = await installed.node(`out/${name}.js`, ...args);
      expect({ name, ...ran }).toEqual({ name, code: 0, out: expect.stringMatching(/./), err: '' });
    }
  });

  it('is told by its compiler what an option may not be', async () => {
    const wrong = CONSUMER.replace('waitMs: 1_000', "waitMs: 'a second'");
    await installed.write('wrong.ts', wrong);
    const flags = ['--ignoreConfig', '--noEmit', '--module', 'nodenext', '--types', 'node'];
    const { out } = await installed.tsc(...flags, '--target', 'es2022', 'wrong.ts');
    expect(out).toMatch(/^wrong\.ts\(11,\d+\): error TS2322/);
  });
});

describe('the programs of the installed package', { timeout: 10 * MINUTE }, () => {
  it('tell whether locks work, with the settings of the folder', async () => {
    const status = await installed.program('qoderwakectl', 'status', '--module=lock');
    expect(status).toMatchObject({ code: 0, out: expect.stringMatching(/^lock: active\n/) });
    const doctor = await installed.program('lockscope', 'doctor');
    expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining('✓ access-control') });
  });

  it('list locks, tell of one, and run a command under one', async () => {
    const key = 'qoder:lock:order_sync:9';
    await redis.client().hset(key, 'elsewhere:1', '1');
    await redis.client().pexpire(key, 60_000);
    const list = await installed.program('lockscope', 'lock', 'list');
    expect(list).toMatchObject({ code: 0, out: expect.stringContaining(key) });
    const debug = await installed.program('qoderwakectl', 'lock', 'debug', '--key', 'order_sync:9');
    expect(debug).toMatchObject({ code: 0, out: expect.stringContaining('elsewhere') });
    const script = 'process.stdout.write("worked")';
    const under = ['--key', 'nightly', '--', process.execPath, '-e', script];
    const ran = await installed.program('lockscope', 'lock', 'run', ...under);
    expect(ran).toMatchObject({ code: 0, out: 'worked' });
  });

  it('offer what works without the sources only', async () => {
    const { out } = await installed.program('lockscope', 'help');
    expect(out).toMatch(/^ {2}start /m);
    expect(out).not.toMatch(/^ {2}(test|perf|bench|torture|build) /m);
    expect((await installed.program('lockscope', 'torture')).code).toBe(2);
  });

  it('start the console with config/lock.yaml and ./data of the folder', async () => {
    // Free when all this began is not free now.
    const consolePort = await freePort();
    await installed.write('config/lock.yaml', settings(consolePort));
    const child = installed.start();
    const exited = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk));
    const isReady = (): boolean => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
      return output.includes('lockscope ready');
    };
    await until('the console is ready', isReady, 2 * MINUTE);
    const page = await fetch(`http://127.0.0.1:${consolePort}/sign-in`);
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('Lockscope'),
    });
    expect(await installed.list('data')).toContain('auth-secret');
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
  });
});
