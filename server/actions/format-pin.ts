import { said } from '@/lib/messages/in-english';
import type { Bytes } from '@/lib/protocol/bytes';
import { MAX_PINS } from '@/lib/protocol/closed-sets';
import { CodedError } from '@/lib/protocol/errors';
import { isTooWide } from '@/server/libraries/pin-rules';
import { toPin } from '@/server/queries/libraries';
import { knownTarget } from '@/server/queries/lock-address';
import { bytesFromPrintable } from '@/server/queries/printed-key';
import type { QueryContext } from '@/server/queries/query-context';
import { compileGlob } from '@/lib/analysis/glob';
import type { PinRow } from '@/server/store/store-contract';
import { answer, type Subject, type Verb } from './verb';

/** The pattern may match keys of any namespace. */
function pinSubject({ formats }: QueryContext, { pattern }: { pattern: string }): Subject {
  const format = formats.pins.get(bytesFromPrintable(pattern))?.format ?? null;
  return { db: null, key: null, namespaces: 'all', before: { pattern, format } };
}

/** Says of all keys of a pattern which library they are locks of. Saved before it counts. */
export const formatPin: Verb<'format.pin'> = {
  isAudited: true,
  subject: pinSubject,
  run: async (context, { target, pattern, format, reason }) => {
    knownTarget(context, target);
    const { pins } = context.formats;
    const bytes = bytesFromPrintable(pattern);
    requireSensible(context, { pattern, bytes, format });
    const replaced = pins.get(bytes)?.format ?? null;
    const pin: PinRow = {
      pattern: bytes,
      format,
      createdAt: context.now(),
      actor: context.actor.name,
      reason,
    };
    await context.store.savePin(context.targetId, pin);
    pins.set(pin);
    follow(context, bytes);
    const result = { outcome: 'pinned', pin: toPin(pin), replaced } as const;
    return { after: { pattern, format }, finish: answer(result) };
  },
};

/** Takes a pin away: the keys are what their names and values say again. */
export const formatUnpin: Verb<'format.unpin'> = {
  isAudited: true,
  subject: pinSubject,
  run: async (context, { target, pattern }) => {
    knownTarget(context, target);
    const { pins } = context.formats;
    const bytes = bytesFromPrintable(pattern);
    const pin = pins.get(bytes);
    if (!pin) throw new CodedError('NOT_FOUND', said('pin:none', { pattern }));
    await context.store.removePin(context.targetId, bytes);
    pins.remove(bytes);
    follow(context, bytes);
    const result = { outcome: 'unpinned', pin: toPin(pin) } as const;
    return { after: { pattern, format: null }, finish: answer(result) };
  },
};

function requireSensible(
  { formats }: QueryContext,
  { pattern, bytes, format }: { pattern: string; bytes: Bytes; format: string },
): void {
  if (isTooWide(bytes)) {
    throw new CodedError('INVALID_INPUT', said('pin:too-wide', { pattern }), { field: 'pattern' });
  }
  if (!formats.table.formats.some(({ id }) => id === format)) {
    const field = 'format';
    throw new CodedError('INVALID_INPUT', said('pin:unknown-format', { format }), { field });
  }
  if (!formats.pins.get(bytes) && formats.pins.list().length >= MAX_PINS) {
    throw new CodedError('TOO_MANY', said('pin:too-many', { most: MAX_PINS }));
  }
}

/** What the pattern matches is watched from now on, or no more, and known locks are read again. */
function follow({ watch, table, formats }: QueryContext, pattern: Bytes): void {
  watch.setPatterns(formats.patterns());
  const matches = compileGlob(pattern);
  const refs: { db: number; key: Bytes }[] = [];
  for (const { db, key } of table.all()) if (matches(key)) refs.push({ db, key });
  watch.read(refs, 'asked');
}
