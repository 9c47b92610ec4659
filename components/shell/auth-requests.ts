import { errorBodyOf, type ErrorBody } from '@/lib/protocol/errors';

export type SignInOutcome =
  | { kind: 'signed-in' }
  | { kind: 'wrong' }
  | { kind: 'too-many' }
  | { kind: 'unreachable' }
  | { kind: 'failed'; status: number; because: ErrorBody['error'] | null };

async function post(path: string, body: unknown): Promise<Response | null> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    // The console does not answer; both callers say so.
    return null;
  }
}

/** Starts a session; the cookie comes with the answer. */
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  const answer = await post('/api/auth/sign-in/email', { email, password });
  if (!answer) return { kind: 'unreachable' };
  if (answer.ok) return { kind: 'signed-in' };
  if (answer.status === 400 || answer.status === 401) return { kind: 'wrong' };
  if (answer.status === 429) return { kind: 'too-many' };
  const body = errorBodyOf(await answer.json().catch(() => null));
  return { kind: 'failed', status: answer.status, because: body?.error ?? null };
}

/** Ends the session. False when the console did not confirm it. */
export async function signOut(): Promise<boolean> {
  const answer = await post('/api/auth/sign-out', {});
  return answer?.ok ?? false;
}
