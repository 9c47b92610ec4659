import { z } from 'zod';
import { Role } from '@/lib/protocol/actions';

/** Who is signed in, as `GET /api/v1/session` answers. */
export const Session = z.object({ name: z.string(), role: Role });
export type Session = z.infer<typeof Session>;

/** Null without a session. Throws when the console cannot be reached. */
export async function fetchSession(): Promise<Session | null> {
  const answer = await fetch('/api/v1/session', { headers: { accept: 'application/json' } });
  if (!answer.ok) return null;
  return Session.nullable().parse(await answer.json());
}
