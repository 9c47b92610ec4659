import { z } from 'zod';
import { isReason, MIN_REASON } from './reason';

const REASON_MISSING = `a reason of at least ${MIN_REASON} visible characters is required`;

/** Why somebody does what they do, as the audit keeps it. */
export const reason = z
  .string()
  .trim()
  .min(MIN_REASON, REASON_MISSING)
  .max(500)
  .refine(isReason, REASON_MISSING);
