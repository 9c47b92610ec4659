import type { Ack, Frame, Snapshot } from '@/lib/protocol/events';
import type { ErrorBody } from '@/lib/protocol/errors';

export type ConnectionState = 'connecting' | 'connected' | 'disconnected';

export interface TransportHandlers {
  /** Called with every change of the connection; `refused` when the server turned the session away. */
  connection: (state: ConnectionState, refused: ErrorBody['error'] | null) => void;
  frame: (frame: Frame) => void;
  failed: (failure: { stream: string } & ErrorBody) => void;
}

/** The wire under the live store. The browser's is socket.io; a refusal comes back as an `Ack`, never as a throw. */
export interface LiveTransport {
  start: (handlers: TransportHandlers) => void;
  /** After `stop`, `start` may be called again. */
  stop: () => void;
  open: (query: string, params: unknown) => Promise<Ack<Snapshot>>;
  close: (stream: string) => void;
  run: (action: string, input: unknown) => Promise<Ack<unknown>>;
}
