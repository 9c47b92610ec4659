import { said } from '@/lib/messages/in-english';
import { randomUUID } from 'node:crypto';
import { CodedError } from '@/lib/protocol/errors';
import { CreateUserInput, type UserView } from '@/lib/protocol/session';
import type { Store } from '@/server/store/store-contract';
import { hasRole, type Actor } from './actor';
import type { Auth } from './auth';

const FIRST_ADMIN = 'admin@lockscope.local';

function requireAdmin(actor: Actor): void {
  if (hasRole(actor, 'admin')) return;
  throw new CodedError('FORBIDDEN', said('forbidden:users', {}));
}

/** Throws INVALID_INPUT naming the field. */
function newUserIn(raw: unknown): CreateUserInput {
  const input = CreateUserInput.safeParse(raw);
  if (input.success) return input.data;
  const issue = input.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new CodedError('INVALID_INPUT', `${field}: ${issue?.message}`, { field });
}

/** Runs an act with an entry in the audit before it and one after it, whatever comes of it. */
function createAudited(store: Store, now: () => number) {
  return async (
    actor: Actor,
    { action, subject }: { action: string; subject: string },
    run: () => Promise<void>,
  ): Promise<void> => {
    const entry = {
      actor: actor.name,
      action,
      target: null,
      db: null,
      key: null,
      reason: null,
      businessId: null,
      requestId: randomUUID(),
      before: null,
      code: null,
    };
    const log = (outcome: 'requested' | 'done' | 'failed', after: unknown) =>
      store.appendAudit({ ...entry, at: now(), outcome, after });
    await log('requested', { subject });
    try {
      await run();
    } catch (error) {
      const message = error instanceof Error ? error.message : `${error}`;
      await log('failed', { subject, message });
      throw error;
    }
    await log('done', { subject });
  };
}

/** People who may sign in. Every change is audited before and after, like any other act. */
export function createUsers(auth: Auth, store: Store, now: () => number) {
  const list = async (): Promise<UserView[]> => {
    const context = await auth.auth.$context;
    const users = await context.internalAdapter.listUsers(1000);
    return users.map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      role: 'role' in user && typeof user.role === 'string' ? user.role : 'viewer',
    }));
  };
  const create = async (input: CreateUserInput): Promise<void> => {
    await auth.auth.api.createUser({
      body: { ...input, data: { emailVerified: true } },
    });
  };
  const audited = createAudited(store, now);
  return {
    list: async (actor: Actor): Promise<UserView[]> => {
      requireAdmin(actor);
      return await list();
    },
    create: async (actor: Actor, raw: unknown): Promise<UserView[]> => {
      requireAdmin(actor);
      const input = newUserIn(raw);
      const { email } = input;
      if ((await list()).some((user) => user.email === email.toLowerCase())) {
        throw new CodedError('CONFLICT', said('user:exists', { email }));
      }
      await audited(actor, { action: 'user.create', subject: email }, () => create(input));
      return await list();
    },
    /** Sets the first password of somebody who signed in by a one-time link. */
    setPassword: async (actor: Actor, headers: Headers, password: unknown): Promise<void> => {
      if (typeof password !== 'string' || password.length < 10 || password.length > 128) {
        throw new CodedError('INVALID_INPUT', said('invalid:new-password', {}));
      }
      if (actor.kind !== 'user') {
        throw new CodedError('FORBIDDEN', said('user:token-password', {}));
      }
      const { internalAdapter } = await auth.auth.$context;
      const accounts = await internalAdapter.findAccounts(actor.id);
      if (accounts.some((account) => account.providerId === 'credential' && account.password)) {
        throw new CodedError('CONFLICT', said('user:has-password', {}));
      }
      await audited(actor, { action: 'user.set-password', subject: actor.name }, async () => {
        await auth.auth.api.setPassword({ body: { newPassword: password }, headers });
      });
    },
    /**
     * Makes the first administrator when there is no user. Returns a one-time link for them for as long
     * as they have no password, so that a lost terminal does not lock everybody out; else null.
     */
    firstSignIn: async (): Promise<string | null> => {
      const context = await auth.auth.$context;
      if ((await context.internalAdapter.countTotalUsers()) === 0) {
        await auth.auth.api.createUser({
          body: {
            email: FIRST_ADMIN,
            name: 'First administrator',
            role: 'admin',
            data: { emailVerified: true },
          },
        });
      }
      const first = await context.internalAdapter.findUserByEmail(FIRST_ADMIN);
      if (!first) return null;
      const accounts = await context.internalAdapter.findAccounts(first.user.id);
      return accounts.length === 0 ? await auth.oneTimeLink(FIRST_ADMIN) : null;
    },
  };
}
