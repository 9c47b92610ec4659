import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  user: string | null;
  isSecure: boolean;
  /** Header lines unfolded, by name in small letters. */
  headers: Map<string, string>;
  /** All of it, as it came. */
  raw: string;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  stop: () => Promise<void>;
}

type Options = ConstructorParameters<typeof SMTPServer>[0];

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** A real SMTP server that keeps what it is sent. Without `options` it asks for no user and offers no TLS. */
export async function startMailServer(options: Options = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false || mailFrom === null ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : null,
          isSecure: session.secure,
          headers: headersOf(raw),
          raw,
        });
        done();
      });
    },
    ...options,
  });
  // Clients that do not like the certificate hang up; that is theirs to tell.
  server.on('error', () => undefined);
  const listening = await new Promise<AddressInfo>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => {
      // A server that listens on TCP has an address of this shape.
      resolve(net.address() as AddressInfo);
    });
  });
  return {
    port: listening.port,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
