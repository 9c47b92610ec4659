import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runAction } from '@/server/actions/run-action';
import type { Actor } from '@/server/auth/actor';
import { runQuery } from '@/server/queries';
import { createSocketServer } from '@/server/socket';
import type { TestServer } from '@/test/server/queries/server-under-test';

export interface TestSockets {
  url: string;
  /** Who a bearer token stands for; a test may take it away. */
  actors: Map<string, Actor>;
  /** Names of the queries that were computed, in order. */
  computed: string[];
  close: () => Promise<void>;
}

/**
 * Serves a test server's parts over a socket, on a free port or the given one. `recheckMs` as the server takes it:
 * what is to be shown of a single question must not be done by a look at all sessions that comes between.
 */
export async function serveSockets(
  server: TestServer,
  { port = 0, recheckMs }: { port?: number; recheckMs?: number } = {},
): Promise<TestSockets> {
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const actors = new Map<string, Actor>();
  const computed: string[] = [];
  const tokenIn = (headers: Headers): string =>
    headers.get('authorization')?.replace('Bearer ', '') ?? '';
  const sockets = createSocketServer({
    httpServer: http,
    context: server.context,
    onChange: server.onChange,
    ...(recheckMs !== undefined && { recheckMs }),
    handle: {
      actorOf: async (headers) => actors.get(tokenIn(headers)) ?? null,
      isTrustedWrite: (headers) => headers.has('authorization') || headers.get('origin') === null,
      query: (name, params, actor) => {
        computed.push(name);
        return runQuery({ ...server.context, actor }, name, params);
      },
      act: (name, input, actor) => runAction({ ...server.context, actor }, name, input),
    },
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    actors,
    computed,
    close: async () => {
      await sockets.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
