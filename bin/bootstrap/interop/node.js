import { join } from 'node:path';
import { captureChild } from '../child.js';
import { isInstalledIn } from '../install.js';
import { ROOT } from '../root.js';
import { say } from '../say.js';

const FOLDER = join(ROOT, 'test', 'interop', 'node');
/** No package runs a script. One of them names a TypeScript as its peer that is not ours. */
const INSTALL = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];

/** Installs the libraries of test/interop/node beside their peer. False when npm cannot. */
export async function ensureNodePeer() {
  if (isInstalledIn(FOLDER)) return true;
  say('installing the lock libraries of test/interop/node (npm ci)…');
  const { code, output } = await captureChild('npm', INSTALL, { cwd: FOLDER });
  if (code !== 0) say(`npm ci ended with code ${code}: ${output.trim()}`);
  return code === 0;
}
