import type { z } from 'zod';
import { CodedError } from '@/lib/protocol/errors';

/** `raw` as the schema's type. Throws INVALID_INPUT: `details.field` names the first member that does not fit. */
export function parseInput<S extends z.ZodType>(schema: S, raw: unknown): z.infer<S> {
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'does not fit';
  throw new CodedError('INVALID_INPUT', field ? `${field}: ${message}` : message, { field });
}
