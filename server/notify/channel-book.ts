import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { said } from '@/lib/messages/in-english';
import type { SentenceId, SentenceValues } from '@/lib/messages/sentence';
import { MAX_CHANNELS } from '@/lib/protocol/closed-sets';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import { ChannelSettings, Route } from '@/lib/protocol/notify';
import type { Store, VersionedDocument } from '@/server/store/store-contract';
import { boundTo, destinationOf } from './kinds';
import type { SecretBox } from './secret-box';

export const CHANNEL = 'channel';
export const ROUTES = 'routes';

const Stored = z.object({
  name: z.string(),
  /** Without the secret. */
  settings: ChannelSettings,
  /** Sealed; null = none. */
  secret: z.string().nullable(),
  destination: z.string(),
  createdAt: z.number(),
});

/** A channel as it lies in the database. */
export interface StoredChannel extends z.infer<typeof Stored> {
  id: string;
  version: number;
}

export interface ChannelInput {
  id?: string | undefined;
  /** That it is changed from; left out = as it is known here. */
  version?: number | null | undefined;
  name: string;
  settings: ChannelSettings;
}

/** The channels and routes that administrators set. What is changed is on disk before it counts. */
export interface ChannelBook {
  load: () => Promise<void>;
  /**
   * Both take the place of all that is there; channels are returned that were not, or were others. What only another
   * version understands is left out and stays for that one.
   */
  replaceChannels: (documents: readonly VersionedDocument[]) => StoredChannel[];
  replaceRoutes: (documents: readonly VersionedDocument[]) => void;
  /** Another number whenever something is changed here. */
  readonly edits: number;
  /** The oldest first. */
  list: () => StoredChannel[];
  /** Throws NOT_FOUND. */
  get: (id: string) => StoredChannel;
  routes: () => readonly Route[];
  /** Null = none were ever set. */
  routesVersion: () => number | null;
  /** The settings with their secret; null when it cannot be opened. */
  open: (channel: StoredChannel) => ChannelSettings | null;
  /** Throws NOT_FOUND, INVALID_INPUT, TOO_MANY and CONFLICT. */
  save: (input: ChannelInput) => Promise<StoredChannel>;
  /** Routes lose it, and those that led nowhere else are gone. Throws NOT_FOUND and CONFLICT. */
  remove: (id: string, version?: number | null) => Promise<void>;
  /** Throws INVALID_INPUT and CONFLICT. */
  saveRoutes: (routes: readonly Route[], version?: number | null) => Promise<readonly Route[]>;
}

export function createChannelBook(options: {
  store: Pick<Store, 'documents' | 'saveDocument' | 'removeDocument'>;
  box: SecretBox;
  now: () => number;
}): ChannelBook {
  const { store, box, now } = options;
  const channels = new Map<string, StoredChannel>();
  let routes: readonly Route[] = [];
  let routesVersion: number | null = null;
  /** Routes that only another version understands. */
  let foreignRoutes: readonly unknown[] = [];
  let edits = 0;

  const get = (id: string): StoredChannel => {
    const channel = channels.get(id);
    if (!channel) throw new CodedError('NOT_FOUND', said('notify:no-channel', {}), { id });
    return channel;
  };
  /** That which is changed from a version that was read: where it is gone, somebody removed it meanwhile. */
  const readBefore = (id: string, version: number | null | undefined): StoredChannel => {
    if (typeof version === 'number' && !channels.has(id)) {
      throw new CodedError('CONFLICT', said('document:changed', {}), { id });
    }
    return get(id);
  };
  const open: ChannelBook['open'] = ({ id, settings, secret }) => {
    if (secret === null) return settings;
    const opened = box.open(secret, id);
    return opened === null ? null : { ...settings, secret: opened };
  };
  const saveRoutes = async (
    wanted: readonly Route[],
    expected: number | null = routesVersion,
  ): Promise<readonly Route[]> => {
    const document = { kind: ROUTES, id: ROUTES, value: [...wanted, ...foreignRoutes] };
    routesVersion = await store.saveDocument(document, expected);
    routes = wanted;
    edits += 1;
    return routes;
  };
  const dropFromRoutes = async (id: string, tries = 3): Promise<void> => {
    if (!routes.some((route) => route.channels.includes(id))) return;
    const left = routes.map((route) => ({
      ...route,
      channels: route.channels.filter((channel) => channel !== id),
    }));
    try {
      await saveRoutes(left.filter((route) => route.channels.length > 0));
    } catch (error) {
      if (!isCodedError(error) || error.code !== 'CONFLICT' || tries <= 1) throw error;
      // Another console set them meanwhile; the channel is in those as well.
      replaceRoutes(await store.documents(ROUTES));
      await dropFromRoutes(id, tries - 1);
    }
  };
  const replaceChannels: ChannelBook['replaceChannels'] = (documents) => {
    const all = documents.flatMap(({ id, value, version }) => {
      const stored = Stored.safeParse(value);
      return stored.success ? [{ id, version, ...stored.data }] : [];
    });
    const others = all.filter(({ id, version }) => channels.get(id)?.version !== version);
    channels.clear();
    for (const channel of all) channels.set(channel.id, channel);
    return others;
  };
  const replaceRoutes: ChannelBook['replaceRoutes'] = (documents) => {
    const [document] = documents;
    const list = document && Array.isArray(document.value) ? document.value : [];
    const read = list.map((value: unknown) => ({ value, route: Route.safeParse(value) }));
    routes = read.flatMap(({ route }) => (route.success ? [route.data] : []));
    foreignRoutes = read.flatMap(({ value, route }) => (route.success ? [] : [value]));
    routesVersion = document?.version ?? null;
  };

  return {
    load: async () => {
      const [stored, list] = await Promise.all([store.documents(CHANNEL), store.documents(ROUTES)]);
      replaceChannels(stored);
      replaceRoutes(list);
    },
    ...{ replaceChannels, replaceRoutes },
    get edits() {
      return edits;
    },
    list: () => [...channels.values()].toSorted((a, b) => a.createdAt - b.createdAt),
    ...{ get, open },
    routes: () => routes,
    routesVersion: () => routesVersion,
    save: async ({ id: given, version: changedFrom, name, settings }) => {
      const before = given === undefined ? null : readBefore(given, changedFrom);
      if (!before && channels.size >= MAX_CHANNELS) {
        throw new CodedError('TOO_MANY', said('notify:too-many-channels', { most: MAX_CHANNELS }));
      }
      const whole = withSecret(settings, before, open);
      requireWhole(whole);
      const { secret, ...shown } = whole;
      const id = before?.id ?? randomUUID();
      const value = {
        ...{ name, settings: shown, destination: destinationOf(whole) },
        secret: secret === undefined ? null : box.seal(secret, id),
        createdAt: before?.createdAt ?? now(),
      };
      const known = before && (changedFrom ?? before.version);
      const version = await store.saveDocument({ kind: CHANNEL, id, value }, known);
      const channel = { id, version, ...value };
      channels.set(id, channel);
      edits += 1;
      return channel;
    },
    remove: async (id, changedFrom) => {
      const known = readBefore(id, changedFrom);
      const version = changedFrom ?? known.version;
      // The channel first: where that is refused, it goes on being told by its routes.
      await store.removeDocument(CHANNEL, id, version);
      channels.delete(id);
      edits += 1;
      await dropFromRoutes(id);
    },
    saveRoutes: async (wanted, version) => {
      const unknown = wanted.flatMap((route) => route.channels).find((id) => !channels.has(id));
      if (unknown !== undefined) refuse('notify:unknown-channel', { channel: unknown }, 'routes');
      return await saveRoutes(wanted, version);
    },
  };
}

/** A secret that is left out stays, unless it would be sent to another place than it was given for. */
function withSecret(
  settings: ChannelSettings,
  before: StoredChannel | null,
  open: ChannelBook['open'],
): ChannelSettings {
  if (settings.secret !== undefined || !before || before.secret === null) return settings;
  if (before.settings.kind !== settings.kind) return settings;
  if (boundTo(settings) !== boundTo(before.settings)) {
    refuse('notify:secret-again', {}, 'settings.secret');
  }
  const opened = open(before);
  // Without it the channel would go on as one that never had a secret: unsigned, or without a login.
  if (opened === null) refuse('notify:sealed-secret', {}, 'settings.secret');
  return { ...settings, secret: opened.secret };
}

function requireWhole(settings: ChannelSettings): void {
  const { kind, secret } = settings;
  const field = 'settings.secret';
  if (kind === 'slack') {
    if (secret === undefined) refuse('notify:needs-secret-slack', {}, field);
    if (!isHttpUrl(secret)) refuse('notify:bad-secret-url', {}, field);
  }
  if (kind === 'pagerduty' && secret === undefined) {
    refuse('notify:needs-secret-pagerduty', {}, field);
  }
  const user = 'user' in settings ? settings.user : undefined;
  if (user !== undefined && secret === undefined) {
    refuse('notify:user-without-secret', { user }, field);
  }
  if ('url' in settings && settings.url !== undefined) {
    const { username, password } = new URL(settings.url);
    if (username !== '' || password !== '') {
      refuse('notify:credentials-in-url', {}, 'settings.url');
    }
  }
}

const isHttpUrl = (text = ''): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol);
};

function refuse<Id extends SentenceId>(id: Id, values: SentenceValues<Id>, field: string): never {
  throw new CodedError('INVALID_INPUT', said(id, values), { field });
}
