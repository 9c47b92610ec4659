import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer } from './mail-server';
import { aNotifier, anAlert } from './notifier-under-test';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const canTrust = typeof tls.setDefaultCACertificates === 'function';

/** A certificate for `localhost` that is its own authority, and its key. */
function aCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...made, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pair;
}

describe.skipIf(!hasOpenssl || !canTrust)('a mail server whose certificate is trusted', () => {
  const before = canTrust ? tls.getCACertificates('default') : [];
  let pair: { key: string; cert: string };
  beforeAll(() => {
    pair = aCertificate();
    tls.setDefaultCACertificates([...before, pair.cert]);
  });
  afterAll(() => tls.setDefaultCACertificates(before));

  it.each([
    ['tls', { secure: true }],
    ['starttls', { secure: false }],
  ] as const)('is told by %s, with user and password', async (mode, over) => {
    const server = await startMailServer({
      ...{ ...pair, ...over, authOptional: false, disabledCommands: [] },
      onAuth: ({ username, password }, session, done) => {
        if (password === 'right' && session.secure) done(null, { user: username });
        else done(new Error('no'));
      },
    });
    const told = await aNotifier();
    const channel = await told.channel({
      ...{ kind: 'email', host: 'localhost', port: server.port, tls: mode },
      ...{ user: 'lockscope', secret: 'right' },
      ...{ from: 'locks@example.org', to: ['ops@example.org'] },
    });
    await told.routeAll(channel);
    await told.note(anAlert('a'));
    await told.turn();
    expect(told.notifier.channels()[0]?.failing).toBeNull();
    expect(server.received).toMatchObject([{ isSecure: true, user: 'lockscope' }]);
    await server.stop();
  });
});
