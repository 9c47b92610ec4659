import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChannelSettings } from '@/lib/protocol/notify';
import { START } from '@/test/support/records';
import { startMailServer, type MailServer } from './mail-server';
import { aNotifier, anAlert, PUBLIC_URL, resolved, type Told } from './notifier-under-test';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A mail server that answers as it likes to each piece that it hears, without the line's end. Returns its port. */
async function aTalkingServer(
  onPiece: (heard: string, talk: { say: (text: string) => void; hangUp: () => void }) => void,
): Promise<number> {
  const server = createServer((socket) => {
    const say = (text: string): void => void socket.write(`${text}\r\n`);
    socket.on('error', () => undefined);
    socket.on('data', (piece) =>
      onPiece(piece.toString(), { say, hangUp: () => socket.destroy() }),
    );
    say('220 here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(() => resolve())));
  // A server that listens on TCP has an address of this shape.
  return (server.address() as AddressInfo).port;
}

type Email = Extract<ChannelSettings, { kind: 'email' }>;

async function aMailServer(
  options: Parameters<typeof startMailServer>[0] = {},
): Promise<MailServer> {
  const server = await startMailServer(options);
  stops.push(server.stop);
  return server;
}

const settingsOf = (port: number, over: Partial<Email> = {}): Email => ({
  ...{ kind: 'email', host: '127.0.0.1', port, tls: 'none' },
  ...{ from: 'Lockscope <locks@example.org>', to: ['ops@example.org', 'mara@example.org'] },
  ...over,
});

async function toldBy(settings: Email): Promise<Told> {
  const told = await aNotifier();
  await told.routeAll(await told.channel(settings, 'mail'));
  return told;
}

const errorOf = (told: Told): string | undefined => told.notifier.channels()[0]?.failing?.error;

describe('a mail', () => {
  it('says what, where, since when and what to do, as text and HTML', async () => {
    const server = await aMailServer();
    const told = await toldBy(settingsOf(server.port));
    await told.note(anAlert('a'));
    await told.turn();
    const [mail] = server.received;
    expect(mail).toMatchObject({
      from: 'locks@example.org',
      to: ['ops@example.org', 'mara@example.org'],
    });
    const [delivery] = await told.notifier.deliveries(1);
    const headers = Object.fromEntries(mail?.headers ?? []);
    expect(headers).toMatchObject({
      subject: '[critical] No expiry: order:a',
      'auto-submitted': 'auto-generated',
      'x-lockscope-delivery': delivery?.id,
      'message-id': `<${delivery?.id}@locks.example.org>`,
      references: '<alert-a@locks.example.org>',
    });
    for (const part of ['text/plain', 'text/html', 'host-1:31', `${PUBLIC_URL}/alerts/a`]) {
      expect(mail?.raw.replaceAll('=\r\n', '')).toContain(part);
    }
  });

  it('and the mail about the end lie in one thread', async () => {
    const server = await aMailServer();
    const told = await toldBy(settingsOf(server.port));
    await told.note(anAlert('a'));
    await told.turn();
    await told.note(resolved(anAlert('a'), START + 1000));
    await told.turn();
    const references = server.received.map(({ headers }) => headers.get('references'));
    expect(references).toEqual(['<alert-a@locks.example.org>', '<alert-a@locks.example.org>']);
    expect(server.received[1]?.headers.get('subject')).toBe('[resolved] No expiry: order:a');
  });

  it('gets no header from a key, and no markup', async () => {
    const server = await aMailServer();
    const told = await toldBy(settingsOf(server.port));
    const label = 'a\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>';
    await told.note(
      anAlert('a', {
        subject: { kind: 'lock', label, locks: [], deadlockId: null },
        summary: `held by ${label}`,
      }),
    );
    await told.turn();
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ops@example.org', 'mara@example.org']);
    expect([...(mail?.headers.keys() ?? [])]).not.toContain('bcc');
    const html = mail?.raw.slice(mail.raw.indexOf('text/html')) ?? '';
    expect(html).not.toContain('<script>');
    expect(html.replaceAll('=\r\n', '')).toContain('&lt;script&gt;');
  });

  it('tells a storm as one', async () => {
    const server = await aMailServer();
    const told = await toldBy(settingsOf(server.port));
    await told.note(...Array.from({ length: 60 }, (_, i) => anAlert(`a${i}`)));
    await told.turn();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.headers.get('subject')).toMatch(/^\[critical\] 60 alerts: /);
    expect(server.received[0]?.raw).toContain('And 40 more.');
  });
});

describe('a mail server', () => {
  it('that wants a user gets user and password, and a wrong one is told without it', async () => {
    const server = await aMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        if (password === 'right') done(null, { user: username });
        else done(new Error(`wrong password ${password}`));
      },
    });
    const login = { user: 'lockscope', secret: 'right' };
    const told = await toldBy(settingsOf(server.port, login));
    await told.note(anAlert('a'));
    await told.turn();
    expect(server.received[0]?.user).toBe('lockscope');
    const [channel] = told.notifier.channels();
    const changed = { ...settingsOf(server.port, login), secret: 'wr0ng-one' };
    await told.notifier.saveChannel({ id: channel?.id, name: 'mail', settings: changed });
    await told.note(anAlert('b'));
    await told.turn();
    expect(errorOf(told)).toMatch(/refused user or password: 535 wrong password •••$/);
    expect(await told.store.dueNotices(10)).toEqual([]);
  });

  it('that repeats a login as it was sent is told without it', async () => {
    const repeats = await aTalkingServer((heard, { say }) => {
      if (heard.startsWith('EHLO')) say('250-here\r\n250 AUTH PLAIN');
      else if (heard.startsWith('AUTH')) say(`535 cannot make sense of ${heard.trim()}`);
      else say('250 ok');
    });
    const login = { user: 'lockscope', secret: 'a-pass-word-of-its-own' };
    const told = await toldBy(settingsOf(repeats, login));
    await told.note(anAlert('a'));
    await told.turn();
    expect(errorOf(told)).toMatch(/535 cannot make sense of AUTH PLAIN •••$/);
  });

  it('that hangs up when it has the whole mail may have taken it, and hears of the end', async () => {
    let isData = false;
    let sent = '';
    const hangsUp = await aTalkingServer((heard, { say, hangUp }) => {
      if (isData) {
        sent += heard;
        if (sent.endsWith('\r\n.\r\n')) hangUp();
      } else if (heard.startsWith('DATA')) {
        isData = true;
        say('354 go on');
      } else say('250 ok');
    });
    const told = await toldBy(settingsOf(hangsUp));
    await told.note(anAlert('a'));
    await told.turn();
    expect(sent).toContain('order:a');
    await told.note(resolved(anAlert('a'), START + 1000));
    const due = (await told.notifier.deliveries(10)).map(({ event }) => event);
    expect(due.toSorted()).toEqual(['firing', 'resolved']);
  });

  it('that is busy is tried again, and one that refuses is not', async () => {
    const codes = [451, 550];
    const server = await aMailServer({
      onRcptTo: (_, __, done) => {
        const responseCode = codes.shift();
        if (responseCode === undefined) done();
        else done(Object.assign(new Error('not now'), { responseCode }));
      },
    });
    const told = await toldBy(settingsOf(server.port, { to: ['ops@example.org'] }));
    await told.note(anAlert('a'));
    await told.turn();
    expect(errorOf(told)).toMatch(/refused: 451 not now$/);
    expect(await told.store.dueNotices(10)).toHaveLength(1);
    await told.after(60_000);
    expect(errorOf(told)).toMatch(/refused: 550 not now$/);
    expect(await told.store.dueNotices(10)).toEqual([]);
    await told.note(anAlert('b'));
    await told.turn();
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['tls', { secure: true, disabledCommands: [] }],
    ['starttls', { disabledCommands: [] }],
  ] as const)('with %s whose certificate nobody vouches for is told nothing', async (tls, over) => {
    const server = await aMailServer({ ...over, disabledCommands: [...over.disabledCommands] });
    const told = await toldBy(settingsOf(server.port, { tls }));
    await told.note(anAlert('a'));
    await told.turn();
    expect(errorOf(told)).toMatch(/^The certificate of 127.0.0.1:\d+ is not trusted/);
    expect(server.received).toEqual([]);
  });

  it('that cannot do STARTTLS is told nothing in the clear', async () => {
    const server = await aMailServer();
    const told = await toldBy(settingsOf(server.port, { tls: 'starttls' }));
    await told.note(anAlert('a'));
    await told.turn();
    expect(errorOf(told)).toBeDefined();
    expect(server.received).toEqual([]);
  });

  it('that is away, or never says a word, is tried again', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => silent.close(() => resolve())));
    // A server that listens on TCP has an address of this shape.
    const { port } = silent.address() as AddressInfo;
    const told = await toldBy(settingsOf(port));
    await told.note(anAlert('a'));
    await told.turn();
    expect(errorOf(told)).toBe(`127.0.0.1:${port} did not answer within 10 s.`);
    const gone = await toldBy(settingsOf(1));
    await gone.note(anAlert('a'));
    await gone.turn();
    expect(errorOf(gone)).toBe('Nobody listens at 127.0.0.1:1 (ECONNREFUSED).');
    expect(await gone.store.dueNotices(10)).toHaveLength(1);
  });
});
