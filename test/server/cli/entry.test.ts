import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '@/server/cli/index';
import type { CliContext } from '@/server/cli/program';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { ROOT } from '@/test/support/source-tree';

const PASSWORD = 'aBc$9xY!2';
let redis: TestRedis;
/** Where a person stands who has config/lock.yaml there, and `qoderwakectl` on the PATH. */
let folder: string;
beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
  folder = await mkdtemp(join(tmpdir(), 'lockscope-entry-'));
  await mkdir(join(folder, 'config'));
  await symlink(join(ROOT, 'bin', 'lockscope.js'), join(folder, 'qoderwakectl'));
});
afterAll(async () => {
  await redis.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const command = [join(folder, 'qoderwakectl'), ...args];
    const env = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'test' as const };
    execFile(process.execPath, command, { cwd: folder, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

/** `lock list` and so on, as they register themselves. */
async function registeredNames(): Promise<string[]> {
  const program = new Command();
  const context = { action: () => async () => undefined };
  for (const register of await loadCommands([]))
    register(program, context as unknown as CliContext);
  return program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((inner) => `${command.name()} ${inner.name()}`),
  );
}

describe('the entry', () => {
  it('reads config/lock.yaml of the folder it is called in', async () => {
    await writeFile(
      join(folder, 'config', 'lock.yaml'),
      `redis-lock-provider:\n  enabled: true\n  redis_url: redis://127.0.0.1:${redis.port}/2\n  redis_password: "${PASSWORD}"\n`,
    );
    expect(await run('status', '--module=lock')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^lock: active\n/),
      err: '',
    });
  });

  it('lists every command that there is, and no other, in its help', async () => {
    const { code, out } = await run('help');
    expect(code).toBe(0);
    const told = [...out.matchAll(/^ {2}((?:lock |audit )?[a-z]+)/gm)].map(([, name]) => name);
    const ofCheckout = (await readdir(join(ROOT, 'bin', 'commands')))
      .filter((name) => name.endsWith('.js') && name !== 'cli.js')
      .map((name) => name.slice(0, -'.js'.length));
    expect(told.toSorted()).toEqual([...ofCheckout, ...(await registeredNames())].toSorted());
  });

  it('loads the one command that is called, and all of them for what is no command', async () => {
    const all = (await loadCommands(['help'])).length;
    expect(await loadCommands(['--json', 'lock', 'list', '--limit', '3'])).toHaveLength(1);
    expect(await loadCommands(['audit', 'verify'])).toHaveLength(1);
    for (const args of [['lock'], ['lock', 'lst'], ['--help']]) {
      expect(await loadCommands(args)).toHaveLength(all);
    }
  });

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('starts no console for who asks how, or asks for what it does not know', async () => {
    const help = await run('start', '--help');
    expect(help).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: lockscope start /) });
    const unknown = await run('--json', 'start', '--prot', '80');
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/^lockscope: start knows no "--prot"\n/);
    expect(JSON.parse(unknown.out)).toMatchObject({ error: { code: 'USAGE' } });
  });

  it('passes exit codes on', async () => {
    expect((await run()).code).toBe(2);
    expect((await run('nothing')).code).toBe(2);
    expect((await run('status', '--help')).code).toBe(0);
  });
});
