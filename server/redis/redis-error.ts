/** What an error reply means for what we may do; from the first word of the reply. */
export type RefusalKind = 'no-permission' | 'unknown-command' | 'no-script' | 'other';

/** Met inside a script a refusal is worded otherwise: by 7.0, and by 7.2 and later. */
const NO_PERMISSION = /^NOPERM\b|user executing the script can't|ACL failure in script/i;

/** `text` is the message of an error reply, without the leading `-`. */
export function refusalKind(text: string): RefusalKind {
  if (NO_PERMISSION.test(text)) return 'no-permission';
  if (/^NOSCRIPT\b/.test(text)) return 'no-script';
  if (/^(ERR )?(unknown command|unknown subcommand)/i.test(text)) return 'unknown-command';
  return 'other';
}

/** An error's message as a part of a longer sentence: some of Redis's end with a full stop of their own. */
export const asClause = (message: string): string => message.trim().replace(/\.+$/, '');

/** True for replies that say "this user may not", or that a provider has taken the command away. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const kind = refusalKind(error.message);
  return kind === 'no-permission' || kind === 'unknown-command';
}

/** True when a command got no answer because its connection was lost, or could not be made again; as ioredis tells it. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, message } = error;
  return (
    name === 'MaxRetriesPerRequestError' ||
    /Connection is closed|Stream isn't writeable/.test(message)
  );
}

/** True when the refusal is about keys or channels and not about the command itself. */
export function isKeyRefusal(text: string): boolean {
  const isAboutNames = /\b(keys?|channels?)\b/i.test(text) && !/to run the/i.test(text);
  return NO_PERMISSION.test(text) && isAboutNames;
}
