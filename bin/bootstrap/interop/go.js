import { join } from 'node:path';
import { captureChild } from '../child.js';
import { ROOT } from '../root.js';
import { say } from '../say.js';

const FOLDER = join(ROOT, 'test', 'interop', 'go');
/** Go itself sees what has changed; a checkout without its git is built as well. */
const BUILD = ['build', '-buildvcs=false', '-o', join('.build', 'peer'), '.'];

/** Builds the peer of test/interop/go with the libraries of its go.mod. False when Go cannot. */
export async function ensureGoPeer() {
  say('building the peer of test/interop/go (go build)…');
  const { code, output } = await captureChild('go', BUILD, { cwd: FOLDER });
  if (code !== 0) say(`go build ended with code ${code}: ${output.trim()}`);
  return code === 0;
}
