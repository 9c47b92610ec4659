import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { admin, magicLink } from 'better-auth/plugins';
import { adminAc, userAc } from 'better-auth/plugins/admin/access';
import type { Config } from '@/server/config';
import type { Store } from '@/server/store/store-contract';

/** Set by our own HTTP layer from the socket, replacing whatever the client sent. */
export const CLIENT_IP_HEADER = 'x-lockscope-client-ip';
const LINK_TTL_S = 60 * 60;

export interface AuthParts {
  config: Config;
  store: Store;
  /** Told of every session that begins, however it was proved. */
  onSignIn: (userId: string) => Promise<void>;
}

/**
 * better-auth on the store's own database. Its sign-up, admin and magic-link *request* endpoints stay
 * closed from outside (`auth-gate.ts` lets only the listed paths through); the server calls them itself.
 */
export function createAuth({ config, store, onSignIn }: AuthParts) {
  /** The token of the link made last, by e-mail: handed from the plugin's callback to its caller. */
  const links = new Map<string, string>();
  const options = {
    appName: 'Lockscope',
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret: config.authSecret,
    database: { db: store.authDatabase.db, type: store.authDatabase.type },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    session: { expiresIn: 7 * 24 * 3600, updateAge: 24 * 3600 },
    rateLimit: { enabled: true, window: 60, max: 200 },
    advanced: {
      cookiePrefix: 'lockscope',
      useSecureCookies: config.publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_IP_HEADER] },
    },
    databaseHooks: {
      session: { create: { after: async (session) => await onSignIn(session.userId) } },
    },
    plugins: [
      admin({
        roles: { viewer: userAc, operator: userAc, admin: adminAc },
        defaultRole: 'viewer',
        adminRoles: ['admin'],
      }),
      magicLink({
        expiresIn: LINK_TTL_S,
        disableSignUp: true,
        storeToken: 'hashed',
        sendMagicLink: ({ email, token }) => {
          links.set(email, token);
        },
      }),
    ],
  } satisfies BetterAuthOptions;
  const auth = betterAuth(options);
  return {
    auth,
    migrate: async (): Promise<void> => {
      const { runMigrations } = await getMigrations(options);
      await runMigrations();
    },
    /** A link that signs `email` in once, within an hour. */
    oneTimeLink: async (email: string): Promise<string> => {
      await auth.api.signInMagicLink({ body: { email }, headers: new Headers() });
      const token = links.get(email);
      links.delete(email);
      if (token === undefined) throw new Error(`no sign-in link was made for ${email}`);
      const query = new URLSearchParams({
        token,
        callbackURL: '/',
        errorCallbackURL: '/sign-in',
      });
      return `${config.publicUrl}/api/auth/magic-link/verify?${query}`;
    },
  };
}

export type Auth = ReturnType<typeof createAuth>;
