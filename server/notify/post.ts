import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { sentence } from '@/lib/messages/sentence';
import { printableText } from '@/lib/protocol/bytes';
import { codeOf, failureOf } from './failure';
import { DELIVERED, failed, refused, type Outcome } from './outcome';

/** Of an answer no more is read, and of that no more is told. */
const READ_BYTES = 4096;
const TOLD_CHARACTERS = 200;

export interface PostOptions {
  url: URL;
  headers?: Record<string, string>;
  body: string;
  /** Bounds the whole attempt. */
  signal: AbortSignal;
  /** What must not be told although the receiver repeats it. */
  hidden: readonly string[];
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/**
 * Posts JSON and says how it went. Redirects are not followed: the answer comes from the host that was set, or
 * from nobody. 2xx is delivered; 408, 429 and 5xx are tried again; any other status is not.
 */
export async function post(options: PostOptions): Promise<Outcome> {
  const { url, signal, hidden } = options;
  const progress = { wasSent: false };
  try {
    return outcomeOf(await exchange(options, progress), url.host, hidden);
  } catch (error) {
    // What is no failure of the exchange is a fault of this program.
    if (codeOf(error) === 'error' && !signal.aborted) throw error;
    return failureOf(error, { host: url.host, wasSent: progress.wasSent, signal });
  }
}

function exchange(
  { url, headers = {}, body, signal }: PostOptions,
  progress: { wasSent: boolean },
): Promise<Answer> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      method: 'POST',
      // A connection of its own: none that the receiver closed meanwhile, and none that lingers.
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'lockscope',
        ...headers,
      },
      signal,
    });
    request.on('finish', () => (progress.wasSent = true));
    request.on('error', reject);
    // An exchange that was switched to another protocol is over for Node, which then reports neither end nor error of it.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, retryAfter: undefined, text: '' });
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const retryAfter = response.headers['retry-after'];
      if (isSuccess(status)) {
        // It is taken; what else it says, and whether it ever ends, is nothing to us.
        response.destroy();
        resolve({ status, retryAfter, text: '' });
        return;
      }
      readSome(response).then((text) => resolve({ status, retryAfter, text }), reject);
    });
    request.end(bytes);
  });
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

async function readSome(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size >= READ_BYTES) break;
  }
  response.destroy();
  return Buffer.concat(chunks).subarray(0, READ_BYTES).toString('utf8');
}

function outcomeOf(answer: Answer, host: string, hidden: readonly string[]): Outcome {
  const { status, retryAfter, text } = answer;
  if (isSuccess(status)) return DELIVERED;
  if (status >= 300 && status < 400) return refused(sentence('notify:redirect', { host, status }));
  const said = toldOf(text, hidden);
  const why = said
    ? sentence('notify:status-said', { host, status, said })
    : sentence('notify:status', { host, status });
  if (status !== 408 && status !== 429 && status < 500) return refused(why);
  // What stands before the receiver does not know whether it got through.
  const maybeSeen = status === 502 || status === 504;
  return failed(why, { maybeSeen, retryAfterMs: retryAfterMs(retryAfter, Date.now()) });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A secret in the ways in which whoever got it may repeat it; the longest first, so that none leaves a rest of another. */
const spellingsOf = (secret: string): string[] =>
  [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]
    .concat(base64(secret), base64(secret).replace(/=+$/, ''))
    .toSorted((a, b) => b.length - a.length);

/** What a receiver said, on one line, short, and without what must not be told. */
export function toldOf(text: string, hidden: readonly string[]): string {
  const clean = hidden
    .flatMap(spellingsOf)
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text);
  return printableText(clean).trim().slice(0, TOLD_CHARACTERS);
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
