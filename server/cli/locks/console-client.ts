import { z } from 'zod';
import { toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { ReleaseResult } from '@/lib/protocol/actions';
import { CodedError, errorBodyOf, errorFrom, isCodedError } from '@/lib/protocol/errors';
import type { Settings } from '@/server/config';

/** A console that runs on the host and port of the settings, asked with their admin token. */
export interface ConsoleClient {
  readonly url: string;
  /** Version and owner of the hold as the console sees it; null when it does not know the lock or holder. */
  holdOf: (db: number, key: Bytes) => Promise<{ version: string; owner: string } | null>;
  /** Throws what the console refuses with: CONFLICT, AUDIT_UNAVAILABLE… */
  release: (
    db: number,
    key: Bytes,
    body: { version: string; reason: string; businessId?: string },
  ) => Promise<ReleaseResult>;
}

type ConsoleSettings = Pick<Settings, 'listenUrl' | 'adminToken' | 'redis'>;

const HEALTH_WITHIN_MS = 1000;
/** A release is watched for three seconds before it is answered. */
const ANSWER_WITHIN_MS = 15_000;

const SeenHold = z.object({
  hold: z.object({ version: z.string(), owner: z.object({ id: z.string() }) }).nullable(),
});
const Targets = z.array(z.object({ id: z.string() }));

/** Null when no console answers there, it may not be asked, or it watches another Redis. */
export async function findConsole(settings: ConsoleSettings): Promise<ConsoleClient | null> {
  const { listenUrl, adminToken, redis } = settings;
  if (adminToken === null || !(await answersHealth(listenUrl))) return null;
  const ask = askWith(listenUrl, adminToken);
  const target = new URL(redis.displayUrl).host;
  const targets = Targets.parse(await ask('GET', '/api/v1/targets'));
  if (!targets.some(({ id }) => id === target)) return null;
  const pathOf = (db: number, key: Bytes): string =>
    `/api/v1/locks/${encodeURIComponent(target)}/${db}/${toBase64Url(key)}`;
  return {
    url: listenUrl,
    holdOf: async (db, key) => {
      const { hold } = SeenHold.parse(
        await ask('GET', pathOf(db, key)).catch((error: unknown) => {
          if (isCodedError(error) && error.code === 'NOT_FOUND') return { hold: null };
          throw error;
        }),
      );
      return hold && { version: hold.version, owner: hold.owner.id };
    },
    release: async (db, key, body) =>
      ReleaseResult.parse(await ask('POST', `${pathOf(db, key)}/release`, body)),
  };
}

async function answersHealth(listenUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(HEALTH_WITHIN_MS);
    const response = await fetch(`${listenUrl}/api/health`, { signal });
    return (
      response.ok && z.object({ status: z.literal('ok') }).safeParse(await response.json()).success
    );
  } catch {
    // Nobody listens there, or something that is no console: the release is recorded by ourselves.
    return false;
  }
}

const askWith =
  (listenUrl: string, token: string) =>
  async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> => {
    let answer: unknown;
    try {
      const response = await fetch(listenUrl + path, {
        method,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      answer = await response.json();
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error);
      throw new CodedError(
        'TARGET_UNAVAILABLE',
        `The console at ${listenUrl} did not answer (${because}): look at the lock and at the audit before trying again.`,
      );
    }
    const refused = errorBodyOf(answer);
    if (refused) throw errorFrom(refused.error);
    return answer;
  };
