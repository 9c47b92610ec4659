import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneAtATime } from '@/bin/bootstrap/one-at-a-time';
import { until } from '@/test/support/until';

describe('what only one process may do at a time', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'one-at-a-time-'));
    file = join(folder, 'building');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('waits for the other and begins after its end, and says once that it waits', async () => {
    const order: string[] = [];
    let end = (): void => undefined;
    const first = oneAtATime(file, {
      work: () => new Promise<void>((resolve) => (end = resolve)),
      onWait: () => order.push('first waits'),
    });
    const second = oneAtATime(file, {
      work: async () => order.push('second works'),
      onWait: () => order.push('second waits'),
    });
    await until('the second waits', () => order.includes('second waits'));
    order.push('first ends');
    end();
    await Promise.all([first, second]);
    expect(order).toEqual(['second waits', 'first ends', 'second works']);
    expect(existsSync(file)).toBe(false);
  });

  it('is free again after a failure, and where the process that did it is gone', async () => {
    const onWait = (): void => expect.unreachable();
    const failed = oneAtATime(file, { work: () => Promise.reject(new Error('no room')), onWait });
    await expect(failed).rejects.toThrow('no room');
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    writeFileSync(file, String(gone.pid));
    expect(await oneAtATime(file, { work: async () => 'built', onWait })).toBe('built');
  });
});
