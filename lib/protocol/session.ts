import { z } from 'zod';
import { Role } from './actions';

/** Who is signed in, for the page. */
export const SessionView = z.object({ name: z.string(), role: Role, version: z.string() });
export type SessionView = z.infer<typeof SessionView>;

export const UserView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
});
export type UserView = z.infer<typeof UserView>;

export const CreateUserInput = z.object({
  email: z.email(),
  name: z.string().trim().min(1).max(100),
  role: Role,
  password: z.string().min(10, 'at least 10 characters are required').max(128),
});
export type CreateUserInput = z.infer<typeof CreateUserInput>;

export const SetPasswordInput = z.object({ newPassword: z.string().min(10).max(128) });
export type SetPasswordInput = z.infer<typeof SetPasswordInput>;

/** Whether the console may be sent requests, and if not, why. */
export const Readiness = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });
export type Readiness = z.infer<typeof Readiness>;
