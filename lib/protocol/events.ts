import { z } from 'zod';
import type { ErrorBody } from './errors';
import type { QueryName, QueryParams, QueryResult } from './queries';
import type { ActionInput, ActionName, ActionResult } from './actions';

/**
 * The whole live protocol. A page *opens* a query with its parameters; the server answers with a
 * snapshot and its version, then sends one frame per change to everyone who opened the same query with
 * the same parameters. A frame names the version it starts from: a browser that holds another one asks
 * for a snapshot with `query:open` again. Nothing is ever sent that REST would not return.
 */

/** Frames of one opened query. `stream` is the server's name for (query, parameters). */
export const Frame = z.object({
  stream: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  at: z.number().int(),
  /** A patch as `lib/live/patch.ts` makes and applies it. */
  patch: z.unknown(),
});
export type Frame = z.infer<typeof Frame>;

export type Ack<T> = { ok: true; value: T } | ({ ok: false } & ErrorBody);

export type Snapshot<N extends QueryName = QueryName> = {
  stream: string;
  version: number;
  at: number;
  data: QueryResult<N>;
};

export interface ClientToServerEvents {
  'query:open': <N extends QueryName>(
    request: { query: N; params: QueryParams<N> },
    ack: (answer: Ack<Snapshot<N>>) => void,
  ) => void;
  'query:close': (request: { stream: string }) => void;
  'action:run': <N extends ActionName>(
    request: { action: N; input: ActionInput<N> },
    ack: (answer: Ack<ActionResult<N>>) => void,
  ) => void;
}

export interface ServerToClientEvents {
  'query:frame': (frame: Frame) => void;
  /** The query can no longer be answered (the lock was forgotten, the role changed). */
  'query:failed': (failure: { stream: string } & ErrorBody) => void;
}

export const OpenRequest = z.object({ query: z.string(), params: z.unknown() });
export const CloseRequest = z.object({ stream: z.string() });
export const RunRequest = z.object({ action: z.string(), input: z.unknown() });
