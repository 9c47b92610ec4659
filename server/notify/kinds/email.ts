import { PassThrough } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import { sentence } from '@/lib/messages/sentence';
import { codeOf, failureOf, TIMEOUT_MS } from '@/server/notify/failure';
import { DELIVERED, failed, refused, type Outcome } from '@/server/notify/outcome';
import { toldOf } from '@/server/notify/post';
import type { Kind, Outgoing, SettingsOf } from './kind';
import { mailBody } from './mail-body';

type Settings = SettingsOf<'email'>;

const hostOf = ({ host, port }: Settings): string => `${host}:${port}`;

function transportOf({ host, port, tls, user, secret }: Settings) {
  return createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== undefined && secret !== undefined && { auth: { user, pass: secret } }),
    dnsTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Alerts of one thing lie in one thread, and a mail that comes twice is one (RFC 5322, 3.6.4). */
function idsOf({ id, notices, publicUrl }: Outgoing) {
  const domain = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '') || 'lockscope';
  const alert = notices.length === 1 ? (notices[0]?.alert?.id ?? null) : null;
  const about = alert === null ? {} : { references: `<alert-${alert}@${domain}>` };
  return { messageId: `<${id}@${domain}>`, ...about };
}

/** Tells when all of the message has left for the server: from then on it may have been taken, whatever follows. */
function watchLeaving(transport: Pick<Transporter, 'use'>): { wasSent: boolean } {
  const progress = { wasSent: false };
  transport.use('stream', (mail, done) => {
    mail.message.transform(() =>
      new PassThrough().once('end', () => {
        progress.wasSent = true;
      }),
    );
    done();
  });
  return progress;
}

/** What the server may repeat of a login (RFC 4616; the secret alone is hidden in all its spellings). */
const hiddenOf = ({ user = '', secret }: Settings): string[] =>
  secret ? [Buffer.from(`\0${user}\0${secret}`).toString('base64'), secret] : [];

/** SMTP by RFC 5321; `Auto-Submitted` by RFC 3834, so that nobody's absence answers. */
export const email: Kind<'email'> = {
  joins: true,
  destination: (settings) => `${settings.to.join(', ')} via ${hostOf(settings)}`,
  boundTo: ({ host, port, tls, user }) => `${host}:${port} ${tls} ${user ?? ''}`,
  send: async (settings, outgoing) => {
    const transport = transportOf(settings);
    const { signal } = outgoing;
    const progress = watchLeaving(transport);
    const sent = transport.sendMail({
      from: settings.from,
      to: settings.to,
      ...idsOf(outgoing),
      ...mailBody(outgoing.notices, outgoing.publicUrl),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Lockscope-Delivery': outgoing.id },
    });
    // Whichever comes first is the outcome; a failure after the time is over tells nothing new.
    sent.catch(() => {});
    try {
      await Promise.race([sent, endOf(signal)]);
      return DELIVERED;
    } catch (error) {
      return outcomeOf(error, settings, { signal, wasSent: progress.wasSent });
    } finally {
      transport.close();
    }
  },
};

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

function outcomeOf(
  error: unknown,
  settings: Settings,
  { signal, wasSent }: { signal: AbortSignal; wasSent: boolean },
): Outcome {
  const host = hostOf(settings);
  const reply = replyOf(error);
  if (reply === null || signal.aborted) {
    // Nodemailer has one code for all that happens to a socket, and the system's beside it.
    return failureOf(withSystemCode(error), { host, wasSent, signal });
  }
  const said = toldOf(reply.text, hiddenOf(settings));
  if (codeOf(error) === 'EAUTH') {
    const why = sentence('notify:login', { host, said });
    return reply.code >= 500 ? refused(why) : failed(why);
  }
  const why = sentence('notify:smtp', { host, said });
  return reply.code >= 500 ? refused(why) : failed(why);
}

const fieldOf = (error: unknown, name: string): unknown =>
  error instanceof Error ? Object.entries(error).find(([field]) => field === name)?.[1] : undefined;

function replyOf(error: unknown): { code: number; text: string } | null {
  const code = fieldOf(error, 'responseCode');
  const text = fieldOf(error, 'response');
  return typeof code === 'number'
    ? { code, text: typeof text === 'string' ? text : `${code}` }
    : null;
}

function withSystemCode(error: unknown): unknown {
  const original = fieldOf(error, 'originalCode');
  return typeof original === 'string' && error instanceof Error
    ? Object.assign(new Error(error.message), { code: original })
    : error;
}
