import { memberOf, ROLES } from '@/lib/protocol/closed-sets';
import { isRecord } from '@/lib/protocol/errors';
import type { SessionView } from '@/lib/protocol/session';

/** Null without a session. Throws when the console cannot be reached. */
export async function fetchSession(): Promise<SessionView | null> {
  const answer = await fetch('/api/v1/session', { headers: { accept: 'application/json' } });
  return answer.ok ? sessionOf(await answer.json()) : null;
}

/** By hand: a schema would load its library on every page. Throws on anything that is no session. */
function sessionOf(answer: unknown): SessionView {
  if (isRecord(answer)) {
    const { name, version } = answer;
    const role = memberOf(ROLES, answer['role']);
    if (typeof name === 'string' && role && typeof version === 'string') {
      return { name, role, version };
    }
  }
  throw new Error('the console answered with something that is no session');
}
