import type { Channel, ChannelKind, ChannelSettings } from '@/lib/protocol/notify';

/** What stands in the form, of all kinds at once: choosing another kind loses nothing that was typed. */
export interface ChannelDraft {
  name: string;
  kind: ChannelKind;
  url: string;
  secret: string;
  user: string;
  host: string;
  port: string;
  tls: 'none' | 'starttls' | 'tls';
  from: string;
  to: string;
}

const EMPTY: ChannelDraft = {
  name: '',
  kind: 'webhook',
  url: '',
  secret: '',
  user: '',
  host: '',
  port: '587',
  tls: 'starttls',
  from: '',
  to: '',
};

/** The form for a channel as it is, or for a new one. */
export function draftOf(channel: Channel | null): ChannelDraft {
  if (!channel) return EMPTY;
  const { name, kind, settings } = channel;
  const base = { ...EMPTY, name, kind };
  switch (settings?.kind) {
    case undefined:
    case 'slack':
      return base;
    case 'webhook':
      return { ...base, url: settings.url };
    case 'alertmanager':
      return { ...base, url: settings.url, user: settings.user ?? '' };
    case 'pagerduty':
      return { ...base, url: settings.url ?? '' };
    case 'email': {
      const { host, tls, from } = settings;
      const { port, to, user = '' } = settings;
      return { ...base, host, tls, from, user, port: `${port}`, to: to.join(', ') };
    }
  }
}

const filled = (text: string): string | undefined => text.trim() || undefined;

/** Addresses with commas between. */
const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** What is saved; the server says what is wrong with it. */
export function settingsOf(draft: ChannelDraft): ChannelSettings {
  const { kind, url } = draft;
  const secret = draft.secret === '' ? {} : { secret: draft.secret };
  const user = filled(draft.user);
  const login = { ...(user !== undefined && { user }), ...secret };
  switch (kind) {
    case 'webhook':
      return { kind, url: url.trim(), ...secret };
    case 'slack':
      return { kind, ...secret };
    case 'alertmanager':
      return { kind, url: url.trim(), ...login };
    case 'pagerduty': {
      const own = filled(url);
      return { kind, ...(own !== undefined && { url: own }), ...secret };
    }
    case 'email': {
      const { host, tls, from, to, port } = draft;
      const server = { host: host.trim(), port: Number(port), tls };
      return { kind, ...server, ...login, from: from.trim(), to: listed(to) };
    }
  }
}

/** Whether everything that is needed is filled in. */
export function isWhole(draft: ChannelDraft, hasSecret: boolean): boolean {
  if (draft.name.trim() === '') return false;
  const isSecretThere = hasSecret || draft.secret !== '';
  switch (draft.kind) {
    case 'webhook':
    case 'alertmanager':
      return draft.url.trim() !== '';
    case 'slack':
    case 'pagerduty':
      return isSecretThere;
    case 'email':
      return draft.host.trim() !== '' && draft.from.trim() !== '' && listed(draft.to).length > 0;
  }
}
