import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { DISCOVERY_LIMITS } from '@/lib/protocol/closed-sets';
import { CodedError } from '@/lib/protocol/errors';
import type { Discovery } from '@/lib/protocol/libraries';
import { createDiscoveries, type Discoveries } from '@/server/libraries/discoveries';
import { createFormatsInUse } from '@/server/libraries/formats-in-use';
import { createPinBook } from '@/server/libraries/pin-book';
import { createCommandConnections } from '@/server/redis/command-connections';
import { dbsToLookIn } from './locks/databases';
import { DB_OPTION, inDb } from './locks/db-option';
import { discoveryText } from './locks/discovery-text';
import { FINE } from './output';
import { group, wholeNumber, type CliContext } from './program';

interface Options {
  db?: number;
  maxKeys: number;
  seconds: number;
}

const LOOK_EVERY_MS = 50;
const { maxKeys: KEYS, seconds: SECONDS } = DISCOVERY_LIMITS;

/** `lock discover`: what looks like locks among keys that nobody declared. */
export function register(program: Command, context: CliContext): void {
  group(program, 'lock')
    .command('discover')
    .description('what looks like locks among keys that are not watched, and of which library')
    .option(...DB_OPTION)
    .option(
      '--max-keys <n>',
      'scan at most so many keys',
      wholeNumber(KEYS.least, KEYS.most),
      KEYS.usual,
    )
    .option(
      '--seconds <n>',
      'take at most so long',
      wholeNumber(SECONDS.least, SECONDS.most),
      SECONDS.usual,
    )
    .action(
      context.action(async ({ db, maxKeys, seconds }: Options) => {
        const settings = inDb(context.settings(), db);
        const commands = createCommandConnections(settings.redis.url);
        try {
          const { table, isWatched } = createFormatsInUse(createPinBook([]), settings);
          const discoveries = createDiscoveries({
            connection: commands.of,
            formats: table,
            isWatched,
            now: Date.now,
          });
          const dbs = await dbsToLookIn(await commands.of(db ?? settings.redis.db), settings);
          const id = discoveries.start({ dbs, maxKeys, seconds }, 'lock discover');
          const found = await whenEnded(discoveries, id, context.interrupted());
          context.output.result(found, () => discoveryText(found));
          return FINE;
        } finally {
          await commands.close();
        }
      }),
    );
}

/** An interruption ends the run, and what it has found is told. Throws what made it fail. */
async function whenEnded(
  discoveries: Discoveries,
  id: string,
  interrupted: AbortSignal,
): Promise<Discovery> {
  while (discoveries.get(id).state === 'running') {
    if (interrupted.aborted) await discoveries.stop(id);
    else await pause(LOOK_EVERY_MS);
  }
  const found = discoveries.get(id);
  if (found.failedBecause === null) return found;
  throw new CodedError('TARGET_UNAVAILABLE', found.failedBecause);
}
