import { randomUUID } from 'node:crypto';
import { CodedError } from '@/lib/protocol/errors';
import { CreateUserInput, type UserView } from '@/lib/protocol/session';
import type { Store } from '@/server/store/store-contract';
import { hasRole, type Actor } from './actor';
import type { Auth } from './auth';

export const FIRST_ADMIN = 'admin@lockscope.local';

/** People who may sign in. Every change is audited before and after, like any other act. */
export function createUsers(auth: Auth, store: Store, now: () => number) {
  const requireAdmin = (actor: Actor): void => {
    if (!hasRole(actor, 'admin')) {
      throw new CodedError('FORBIDDEN', 'Only an administrator may see or change users.');
    }
  };
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
  const audited = async <T>(
    actor: Actor,
    action: string,
    subject: string,
    run: () => Promise<T>,
  ) => {
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
      const result = await run();
      await log('done', { subject });
      return result;
    } catch (error) {
      await log('failed', {
        subject,
        message: error instanceof Error ? error.message : `${error}`,
      });
      throw error;
    }
  };
  return {
    list: async (actor: Actor): Promise<UserView[]> => {
      requireAdmin(actor);
      return await list();
    },
    create: async (actor: Actor, raw: unknown): Promise<UserView[]> => {
      requireAdmin(actor);
      const input = CreateUserInput.safeParse(raw);
      if (!input.success) {
        const issue = input.error.issues[0];
        const field = issue?.path.join('.') ?? '';
        throw new CodedError('INVALID_INPUT', `${field}: ${issue?.message}`, { field });
      }
      const { email } = input.data;
      if ((await list()).some((user) => user.email === email.toLowerCase())) {
        throw new CodedError('CONFLICT', `There is already a user ${email}.`);
      }
      await audited(actor, 'user.create', email, () => create(input.data));
      return await list();
    },
    /** Sets the first password of somebody who signed in by a one-time link. */
    setPassword: async (actor: Actor, headers: Headers, password: unknown): Promise<void> => {
      if (typeof password !== 'string' || password.length < 10 || password.length > 128) {
        throw new CodedError('INVALID_INPUT', 'newPassword: 10 to 128 characters are required.');
      }
      if (actor.kind !== 'user') {
        throw new CodedError('FORBIDDEN', 'A token has no password: sign in as a user.');
      }
      const { internalAdapter } = await auth.auth.$context;
      const accounts = await internalAdapter.findAccounts(actor.id);
      if (accounts.some((account) => account.providerId === 'credential' && account.password)) {
        const message = 'There is a password already: change it by giving the present one.';
        throw new CodedError('CONFLICT', message);
      }
      await audited(actor, 'user.set-password', actor.name, async () => {
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
