import { SessionView } from '@/lib/protocol/session';

/** Null without a session. Throws when the console cannot be reached. */
export async function fetchSession(): Promise<SessionView | null> {
  const answer = await fetch('/api/v1/session', { headers: { accept: 'application/json' } });
  return answer.ok ? SessionView.parse(await answer.json()) : null;
}
