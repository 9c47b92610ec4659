import { createCommandClient } from './connection-options';

const ANSWERS_WITHIN_MS = 1_500;
/** Of a server; more are rare, and each is asked by a connection of its own. */
const MOST_REPLICAS = 5;

export interface ReplicaAddress {
  /** `host:port`. */
  address: string;
  host: string;
  port: string;
}

/** The replicas that follow a server, as its INFO tells them (`slave0:ip=…,port=…`). */
export function replicasIn(info: ReadonlyMap<string, string>): ReplicaAddress[] {
  const rows = [...info].filter(([name]) => /^slave\d+$/.test(name)).slice(0, MOST_REPLICAS);
  return rows.map(([, row]) => {
    const fields = new Map(row.split(',').map((part) => splitOnce(part)));
    const [host, port] = [fields.get('ip') ?? '', fields.get('port') ?? ''];
    return { address: `${host}:${port}`, host, port };
  });
}

const splitOnce = (part: string): [name: string, value: string] => {
  const equals = part.indexOf('=');
  return [part.slice(0, equals), part.slice(equals + 1)];
};

/**
 * `notify-keyspace-events` of a replica, asked under the credentials of `url`, its server's address; null when it is
 * out of reach or refuses.
 */
export async function notifyFlagsOf(
  url: string,
  { host, port }: ReplicaAddress,
): Promise<string | null> {
  const its = new URL(url);
  its.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const client = createCommandClient(its.toString(), 0);
  client.on('error', () => {
    // The command that fails with it is what tells.
  });
  const late = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const tooLate = new Promise<null>((resolve) => {
    late.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    const asked = client.config('GET', 'notify-keyspace-events');
    const reply: unknown = await Promise.race([asked, tooLate]);
    const value: unknown = Array.isArray(reply) ? reply[1] : undefined;
    return typeof value === 'string' ? value : null;
  } catch {
    // Out of reach, another password, no right: it is told as one that could not be asked.
    return null;
  } finally {
    client.disconnect();
  }
}
