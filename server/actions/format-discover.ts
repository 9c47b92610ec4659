import { said } from '@/lib/messages/in-english';
import { DISCOVERY_LIMITS } from '@/lib/protocol/closed-sets';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import { knownTarget } from '@/server/queries/lock-address';
import type { QueryContext } from '@/server/queries/query-context';
import { answer, type Verb } from './verb';

const { maxKeys: KEYS, seconds: SECONDS } = DISCOVERY_LIMITS;

/** Begins to look for locks that nobody declared, among keys of every namespace. */
export const formatDiscover: Verb<'format.discover'> = {
  isAudited: true,
  subject: () => ({ db: null, key: null, namespaces: 'all', before: null }),
  run: async (context, { target, db, maxKeys = KEYS.usual, seconds = SECONDS.usual }) => {
    knownTarget(context, target);
    if (db !== undefined) await requireDb(context, db);
    const dbs = db === undefined ? context.watch.status().dbs : [db];
    const id = context.discoveries.start({ dbs, maxKeys, seconds }, context.actor.name);
    return { after: { id, dbs, maxKeys, seconds }, finish: answer({ id }) };
  },
};

/** Ends a run; what it has found stays. */
export const formatDiscoverStop: Verb<'format.discover-stop'> = {
  isAudited: true,
  subject: (_context, { id }) => ({ db: null, key: null, namespaces: 'all', before: { id } }),
  run: async (context, { id }) => {
    const stopped = await context.discoveries.stop(id);
    const { state, scanned } = stopped;
    return { after: { id, state, scanned }, finish: answer(stopped) };
  },
};

async function requireDb({ watch }: QueryContext, db: number): Promise<void> {
  try {
    await watch.commandConnection(db);
  } catch (error) {
    if (!isCodedError(error) || error.details?.['noSuchDb'] !== true) throw error;
    throw new CodedError('INVALID_INPUT', said('discover:no-db', { db }), { field: 'db' });
  }
}
