import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '@/server/notify/secret-box';
import { aNotifier, anAlert, aReceiver, PUBLIC_URL } from './notifier-under-test';

const SECRET = 'a-secret-that-nobody-may-read-again';

describe('a secret', () => {
  it('opens for the console and the channel it was sealed for, and for no other', () => {
    const box = createSecretBox('one');
    const sealed = box.seal(SECRET, 'channel');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(box.seal(SECRET, 'channel')).not.toBe(sealed);
    expect(box.open(sealed, 'channel')).toBe(SECRET);
    expect(box.open(sealed, 'another')).toBeNull();
    expect(createSecretBox('two').open(sealed, 'channel')).toBeNull();
    const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [changed, sealed.replace('v1', 'v2'), 'v1.', '', SECRET]) {
      expect(box.open(wrong, 'channel')).toBeNull();
    }
  });

  it('is not on disk, nor in what is read back, whatever the receiver repeats', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    receiver.answer({ status: 500, text: `token ${SECRET} is unknown` });
    const url = `http://${receiver.host}/services/${SECRET}`;
    const channels = [
      await told.channel({ kind: 'slack', secret: url }, 'slack'),
      await told.channel({ kind: 'pagerduty', url: receiver.url, secret: SECRET }, 'pager'),
      await told.channel({ kind: 'webhook', url: receiver.url, secret: SECRET }),
    ];
    await told.routeAll(...channels);
    await told.note(anAlert('a'));
    await told.turn();
    expect(receiver.received.map(({ path }) => path)).toContain(`/services/${SECRET}`);
    const read = [told.notifier.channels(), await told.notifier.deliveries(10)];
    const events = await told.store.alertEvents({ alert: 'a', limit: 100 });
    expect(events).toHaveLength(3);
    expect(JSON.stringify([read, events])).not.toContain(SECRET);
    expect(told.notifier.channels()[0]).toMatchObject({
      ...{ hasSecret: true, destination: receiver.host, settings: { kind: 'slack' } },
    });
    const onDisk = readdirSync(told.dataDir).map((name) =>
      readFileSync(join(told.dataDir, name), 'latin1'),
    );
    expect(onDisk.join('')).toContain(receiver.host);
    expect(onDisk.join('')).not.toContain(SECRET);
  });

  it('that was kept under another secret of the console is asked for again', async () => {
    const [told, receiver] = [await aNotifier(), await aReceiver()];
    const channel = await told.channel({ kind: 'webhook', url: receiver.url, secret: SECRET });
    await told.routeAll(channel);
    const after = await told.again({ authSecret: 'another' });
    await after.note(anAlert('a'));
    await after.turn();
    expect(receiver.received).toEqual([]);
    const error = /^The secret of this channel cannot be read/;
    expect(after.notifier.channels()[0]?.failing?.error).toMatch(error);
    expect((await after.notifier.test(channel.id)).message).toMatch(error);
    // Going on without it would send unsigned what the receiver expects signed.
    const unsigned = { kind: 'webhook', url: receiver.url } as const;
    const renamed = after.notifier.saveChannel({
      id: channel.id,
      name: 'on call',
      settings: unsigned,
    });
    await expect(renamed).rejects.toMatchObject({ details: { field: 'settings.secret' } });
    await after.notifier.saveChannel({
      ...{ id: channel.id, name: 'ops' },
      settings: { kind: 'webhook', url: receiver.url, secret: SECRET },
    });
    await after.turn();
    expect(receiver.received).toHaveLength(1);
  });

  it('stays where it is left out, and is sent nowhere it was not given for', async () => {
    const [told, receiver, other] = [await aNotifier(), await aReceiver(), await aReceiver()];
    const settings = { kind: 'pagerduty', url: receiver.url } as const;
    const { id } = await told.channel({ ...settings, secret: SECRET });
    const renamed = await told.notifier.saveChannel({ id, name: 'on call', settings });
    expect(renamed).toMatchObject({ name: 'on call', hasSecret: true });
    await told.notifier.test(id);
    expect(receiver.received[0]?.text).toContain(SECRET);
    const elsewhere = { kind: 'pagerduty', url: other.url } as const;
    await expect(
      told.notifier.saveChannel({ id, name: 'on call', settings: elsewhere }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'settings.secret' } });
    expect(other.received).toEqual([]);
  });

  it.each([
    [{ kind: 'slack' }, 'settings.secret'],
    [{ kind: 'slack', secret: 'no url' }, 'settings.secret'],
    [{ kind: 'slack', secret: 'file:///etc/passwd' }, 'settings.secret'],
    [{ kind: 'pagerduty' }, 'settings.secret'],
    [{ kind: 'alertmanager', url: PUBLIC_URL, user: 'me' }, 'settings.secret'],
    [{ kind: 'webhook', url: 'https://me:secret@example.org/' }, 'settings.url'],
  ] as const)('is asked for where it is missing or misplaced: %j', async (settings, field) => {
    const told = await aNotifier();
    const saved = told.channel(settings);
    await expect(saved).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } });
    expect(told.notifier.channels()).toEqual([]);
  });
});
