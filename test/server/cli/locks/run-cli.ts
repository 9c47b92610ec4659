import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { runProgram, type Register } from '@/server/cli/program';

export interface Ran {
  code: number;
  out: string;
  err: string;
  /** stdout as one JSON document. */
  json: <T = Record<string, unknown>>() => T;
}

export interface TestCli {
  dataDir: string;
  env: Record<string, string>;
  /** Runs one command line in this process. */
  run: (commands: readonly Register[], ...args: string[]) => Promise<Ran>;
  remove: () => Promise<void>;
}

/** The command line on one Redis, with settings and a data folder of its own. */
export async function createTestCli(
  redisUrl: string,
  extra: Record<string, string> = {},
): Promise<TestCli> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lockscope-cli-'));
  const file = join(dataDir, 'empty.yaml');
  writeFileSync(file, '');
  const env = {
    LOCKSCOPE_CONFIG: file,
    LOCKSCOPE_REDIS_URL: redisUrl,
    LOCKSCOPE_DATA_DIR: join(dataDir, 'data'),
    LOCKSCOPE_ALLOW_INSECURE_REDIS: '1',
    ...extra,
  };
  return {
    dataDir: env.LOCKSCOPE_DATA_DIR,
    env,
    run: async (commands, ...args) => {
      let out = '';
      let err = '';
      const code = await runProgram(args, commands, {
        out: { write: (text) => (out += text) },
        err: { write: (text) => (err += text) },
        env,
      });
      return { code, out, err, json: <T>() => JSON.parse(out) as T };
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}
