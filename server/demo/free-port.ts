import { createServer } from 'node:net';

async function tryPort(port: number): Promise<number | null> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address && typeof address === 'object' ? address.port : null));
    });
  });
}

/** `preferred` when nobody listens there, else any free port of this machine. */
export async function freePort(preferred: number | null): Promise<number> {
  const port = (preferred === null ? null : await tryPort(preferred)) ?? (await tryPort(0));
  if (port === null) throw new Error('no port of 127.0.0.1 is free');
  return port;
}
