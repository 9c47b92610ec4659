import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The text as JSON. */
  body: unknown;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  text?: string;
}

export interface Receiver {
  url: string;
  host: string;
  received: Received[];
  /** What the next requests are answered, the last of them for good. `hang` = never. */
  answer: (...replies: readonly (Reply | 'hang')[]) => void;
  /** Hangs up on everybody who waits for an answer. */
  cut: () => void;
  stop: () => Promise<void>;
}

/** A real HTTP server on a port of its own that keeps what it is told. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let replies: (Reply | 'hang')[] = [{ status: 200 }];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text),
      });
      const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 'hang';
      if (reply === 'hang') return;
      response.writeHead(reply.status, reply.headers);
      response.end(reply.text ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this shape.
  const { port: opened } = server.address() as AddressInfo;
  const host = `127.0.0.1:${opened}`;
  return {
    url: `http://${host}/told`,
    host,
    received,
    answer: (...next) => (replies = [...next]),
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
