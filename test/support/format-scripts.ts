import type { Redis } from 'ioredis';
import { formatTable } from '@/lib/formats';
import { NOTHING_BESIDE, type BesideKeys, type RawValue } from '@/lib/formats/format';

const bin = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

/** Runs the scripts of formats, and any command, with keys and values of any bytes. */
export function createScriptRunner(redis: () => Redis) {
  const call = async (command: string, ...args: (string | number)[]): Promise<unknown> =>
    await redis().callBuffer(
      command,
      args.map((arg) => bin(`${arg}`)),
    );

  const run = async (
    script: { lua: string } | null | undefined,
    { keys, args }: { keys: string[]; args: (string | number)[] },
  ): Promise<unknown> => {
    const parts = [...keys, ...args].map((part) => bin(`${part}`));
    return await redis().callBuffer('EVAL', [bin(script?.lua ?? ''), keys.length, ...parts]);
  };

  return {
    call,
    release: async (
      id: string,
      key: string,
      { seen, now, beside }: { seen: RawValue; now: number; beside?: BesideKeys },
    ): Promise<unknown> => {
      const script = formatTable.byId(id).release;
      if (!script) throw new Error(`${id} has no release`);
      return await run(script, script.arguments(key, seen, now, beside));
    },
    removeMember: async (
      id: string,
      key: string,
      { member, seen, now }: { member: string; seen: RawValue; now: number },
    ): Promise<unknown> => {
      const script = formatTable.byId(id).removeMember;
      if (!script) throw new Error(`${id} takes no member out`);
      const state = { value: seen, beside: NOTHING_BESIDE, now };
      return await run(script, script.arguments(key, member, state));
    },
  };
}
