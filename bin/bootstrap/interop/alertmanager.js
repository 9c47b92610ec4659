import { join } from 'node:path';
import { captureChild } from '../child.js';
import { ROOT } from '../root.js';
import { say } from '../say.js';

const FOLDER = join(ROOT, 'test', 'server', 'notify', 'alertmanager');
const PACKAGE = 'github.com/prometheus/alertmanager/cmd/alertmanager';
/** Where its test finds it. */
const BUILT = join(ROOT, 'test', 'results', 'alertmanager');

/** Builds Alertmanager itself, of the version in go.mod. False when Go cannot. */
export async function ensureAlertmanager() {
  say('building Alertmanager (go build)…');
  const build = ['build', '-buildvcs=false', '-o', join(BUILT, 'alertmanager'), PACKAGE];
  const { code, output } = await captureChild('go', build, { cwd: FOLDER });
  if (code !== 0) say(`go build ended with code ${code}: ${output.trim()}`);
  return code === 0;
}
