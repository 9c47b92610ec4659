import type { Redis } from 'ioredis';
import { formatTable } from '@/lib/formats';
import {
  NOTHING_BESIDE,
  type BesideKeys,
  type LockFormat,
  type RawValue,
} from '@/lib/formats/format';
import type { TestRedis } from '@/test/support/redis-server';

interface Arguments {
  keys: string[];
  args: (string | number)[];
}

const bin = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

/** Runs the scripts of formats on a real Redis, all bytes as they are, and hears whom they wake. */
export function createWakingScripts(server: TestRedis, redis: Redis) {
  const listening: Redis[] = [];

  const run = async (lua: string | undefined, { keys, args }: Arguments): Promise<unknown> => {
    if (lua === undefined) throw new Error('the format has no such script');
    const parts = [...keys, ...args].map((part) => bin(`${part}`));
    return await redis.callBuffer('EVAL', [bin(lua), keys.length, ...parts]);
  };
  const formatOf = (id: string): LockFormat => formatTable.byId(id);
  const nothing: Arguments = { keys: [], args: [] };

  return {
    release: async (
      id: string,
      key: string,
      seen: RawValue,
      { now = 0, beside = NOTHING_BESIDE }: { now?: number; beside?: BesideKeys } = {},
    ): Promise<unknown> => {
      const { release } = formatOf(id);
      return await run(release?.lua, release?.arguments(key, seen, now, beside) ?? nothing);
    },
    wake: async (id: string, key: string, now = 0): Promise<unknown> => {
      const { wake } = formatOf(id);
      return await run(wake?.lua, wake?.arguments(key, now) ?? nothing);
    },
    remove: async (
      id: string,
      key: string,
      member: string,
      seen: { value: RawValue; beside?: BesideKeys; now?: number },
    ): Promise<unknown> => {
      const { removeMember } = formatOf(id);
      const whole = { beside: NOTHING_BESIDE, now: 0, ...seen };
      return await run(removeMember?.lua, removeMember?.arguments(key, member, whole) ?? nothing);
    },
    /** What comes on a channel, classic or sharded, or on all that fit a pattern. */
    listen: async (
      channel: string,
      how: 'subscribe' | 'ssubscribe' | 'psubscribe' = 'subscribe',
    ): Promise<string[]> => {
      const client = server.client();
      listening.push(client);
      const messages: string[] = [];
      const take = (message: Buffer): void => void messages.push(message.toString('latin1'));
      client.on('messageBuffer', (_channel: Buffer, message: Buffer) => take(message));
      client.on('smessageBuffer', (_channel: Buffer, message: Buffer) => take(message));
      client.on('pmessageBuffer', (_pattern: string, _channel: Buffer, message: Buffer) =>
        take(message),
      );
      await client[how](channel);
      return messages;
    },
    /** Ends all listening; to be called after each test. */
    silence: async (): Promise<void> => {
      for (const client of listening.splice(0)) await client.quit();
    },
  };
}
