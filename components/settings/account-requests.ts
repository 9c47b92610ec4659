import { z } from 'zod';
import { errorBodyOf, type ErrorBody } from '@/lib/protocol/errors';
import { UserView } from '@/lib/protocol/session';
import type { CreateUserInput } from '@/lib/protocol/session';

/** What came of a request: its value, or the sentence of the refusal. `null` = nobody answered. */
export type Answered<T> = { ok: true; value: T } | { ok: false; refusal: Refusal | null };
export type Refusal = Pick<ErrorBody['error'], 'message' | 'sentences'>;

/** Both our own errors and those of the sign-in library carry a sentence. */
const refusalOf = (content: unknown): Refusal | undefined =>
  errorBodyOf(content)?.error ?? z.object({ message: z.string() }).safeParse(content).data;

async function ask<T>(
  path: string,
  answer: z.ZodType<T>,
  body?: Record<string, unknown>,
): Promise<Answered<T>> {
  try {
    const response = await fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const content: unknown = await response.json();
    if (response.ok) return { ok: true, value: answer.parse(content) };
    return { ok: false, refusal: refusalOf(content) ?? { message: `HTTP ${response.status}` } };
  } catch {
    // No answer, or none that can be read: the form says that the console is out of reach.
    return { ok: false, refusal: null };
  }
}

/** With a current password it is changed; without one the first is set. */
export const setPassword = (currentPassword: string, newPassword: string) =>
  currentPassword === ''
    ? ask('/api/v1/account/password', z.unknown(), { newPassword })
    : ask('/api/auth/change-password', z.unknown(), { currentPassword, newPassword });

export const listUsers = () => ask('/api/v1/users', z.array(UserView));

export const createUser = (input: CreateUserInput) =>
  ask('/api/v1/users', z.array(UserView), input);
