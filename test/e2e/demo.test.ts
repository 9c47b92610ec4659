import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseExposition } from '@/test/server/metrics/parse-exposition';
import { startDemo } from '@/test/support/demo';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const run = (...args: string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, [join(ROOT, 'dist', 'demo.js'), ...args], { encoding: 'utf8' });

/** Process ids of a demo's children whose command has that in it, oldest first. */
function childrenOf(demoPid: number, command: string): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? [];
    return Number(parent) === demoPid && line.includes(command) ? [Number(pid)] : [];
  });
}

function processesOf(folder: string): string {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .join('\n');
}

interface Told {
  namespaces: string[];
  granted: number;
  left: number;
  unknown: number;
  lost: number;
}

/** What the metrics of a demo say of its classes, by a session that its link made. */
async function tellClasses(url: string, cookie: string): Promise<Told> {
  const answer = await fetch(`${url}/metrics`, { headers: { cookie } });
  const families = parseExposition(await answer.text(), 'text');
  const samples = families.flatMap((family) => family.samples);
  const sum = (name: string, labels: Record<string, string>): number =>
    samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, is]) => sample.labels[key] === is))
      .reduce((total, { value }) => total + value, 0);
  const observable = samples.filter(({ name }) => name === 'lockscope_class_waiters_observable');
  const waited = samples.filter(
    ({ name, value }) => name === 'lockscope_class_waiter_seconds_total' && value > 1,
  );
  return {
    namespaces: [...new Set(waited.map(({ labels }) => labels['namespace'] ?? ''))],
    granted: sum('lockscope_class_waits_total', { outcome: 'granted' }),
    left: sum('lockscope_class_waits_total', { outcome: 'left' }),
    unknown: observable.filter(({ value }) => value === 0).length,
    lost: sum('lockscope_class_ends_total', { reason: 'lease-ended' }),
  };
}

describe('the demo', () => {
  it('lists its scenarios, and refuses what it does not know with code 2', () => {
    expect(run('help').status).toBe(0);
    expect(run('help').stdout).toContain('deadlock');
    expect(run('no-such-thing').status).toBe(2);
    expect(run('--port', 'x').status).toBe(2);
  });

  it.each(['stop', 'kill'] as const)('leaves nothing behind after %s', async (how) => {
    const demo = await startDemo('healthy');
    expect(readdirSync(demo.folder)).not.toEqual([]);
    await demo[how]();
    await until('its files are gone', () => readdirSync(demo.folder).length === 0);
    await until('its Redis is gone', () => processesOf(demo.folder) === '');
    await until('its console is gone', async () => {
      return await fetch(`${demo.url}/api/health`).then(
        () => false,
        () => true,
      );
    });
    await demo.removeFolder();
  });

  it('of contention has waits, losses and what cannot be known in several namespaces at once', async () => {
    const demo = await startDemo('contention');
    const signIn = await fetch(demo.signInLink, { redirect: 'manual' });
    const cookie = signIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const wanted = ['seat', 'ledger', 'stock', 'parcel'];
    await until(
      'there is contention of every kind',
      async () => {
        const told = await tellClasses(demo.url, cookie);
        const { namespaces, granted, left, unknown, lost } = told;
        const isAll = wanted.every((namespace) => namespaces.includes(namespace));
        return isAll && granted > 50 && left > 0 && unknown > 1 && lost > 0;
      },
      180_000,
    );
    await demo.stop();
    await demo.removeFolder();
  }, 300_000);

  it('tells of a worker that dies, and ends in one sentence with its Redis', async () => {
    const demo = await startDemo('healthy');
    const [redis] = childrenOf(demo.pid, 'redis-server');
    const worker = childrenOf(demo.pid, 'demo-worker').at(-1);
    if (!redis || !worker) throw new Error('the demo has no Redis or no worker');
    process.kill(worker, 'SIGKILL');
    await until('the worker is told of', () => /demo: the process \S+ ended/.test(demo.output()));
    const before = demo.output().length;
    process.kill(redis, 'SIGKILL');
    expect(await demo.ended).toBe(1);
    const said = demo.output().slice(before);
    expect(said).toContain('demo: the Redis of the demo has ended, and the demo with it');
    expect(said).not.toMatch(/ {4}at |ECONNREFUSED|Unhandled/);
    expect(readdirSync(demo.folder)).toEqual([]);
    await demo.removeFolder();
  });
});
