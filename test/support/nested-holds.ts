import { until } from '@/test/support/until';
import type { Watched } from '@/test/support/watched-redis';

/** As Redisson's threads do: takes all, each once the console knows of the one before, then gives them back, the last first. */
export async function nest(
  { client, console }: Pick<Watched, 'client' | 'console'>,
  owner: string,
  ...keys: string[]
): Promise<void> {
  for (const key of keys) {
    await client.multi().hincrby(key, owner, 1).pexpire(key, 600_000).exec();
    await console.heldBy(key, owner);
  }
  for (const key of keys.toReversed()) {
    await client.del(key);
    await until(`${key} is free`, async () => (await console.detail(key))?.hold === null);
  }
}
