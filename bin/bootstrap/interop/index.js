import { ensureNodePeer } from './node.js';

/**
 * What the real libraries of one language need: `ensure` installs it and tells whether it is there, `started` is
 * the module under test/ that starts their peer, `howToGet` a sentence for a person.
 */
export const PEERS = {
  'node-peer': {
    ensure: ensureNodePeer,
    started: 'test/interop/node/ecosystem',
    howToGet: 'npm is needed to install the libraries of test/interop/node.',
  },
};
