import { ensureAlertmanager } from './alertmanager.js';
import { ensureGoPeer } from './go.js';
import { ensureJavaPeer } from './java.js';
import { ensureNodePeer } from './node.js';
import { ensurePythonPeer } from './python.js';

/**
 * What the real libraries of one language need, and Alertmanager: `ensure` installs it and tells whether it is there, `started` is
 * the module under test/ that starts their peer, `howToGet` a sentence for a person.
 */
export const PEERS = {
  'node-peer': {
    ensure: ensureNodePeer,
    started: 'test/interop/node/ecosystem',
    howToGet: 'npm is needed to install the libraries of test/interop/node.',
  },
  'python-peer': {
    ensure: ensurePythonPeer,
    started: 'test/interop/python/ecosystem',
    howToGet:
      'Python 3.10 or newer with venv and pip is needed to install the libraries of test/interop/python.',
  },
  'go-peer': {
    ensure: ensureGoPeer,
    started: 'test/interop/go/ecosystem',
    howToGet: 'Go 1.26 or newer is needed to build the peer of test/interop/go.',
  },
  'java-peer': {
    ensure: ensureJavaPeer,
    started: 'test/interop/java/ecosystem',
    howToGet:
      'A JDK (17 or newer) and Maven are needed to fetch the libraries of test/interop/java.',
  },
  alertmanager: {
    ensure: ensureAlertmanager,
    started: 'test/server/notify/alertmanager/server',
    howToGet:
      'Go 1.24 or newer is needed to build the Alertmanager that notifications are tested with.',
  },
};
