import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from '../child.js';
import { ROOT } from '../root.js';
import { say } from '../say.js';

const FOLDER = join(ROOT, 'test', 'interop', 'python');
const WANTED = join(FOLDER, 'requirements.txt');
const VENV = join(FOLDER, '.venv');
const PYTHON = join(VENV, 'bin', 'python');
/** A copy of what was asked for, put there when all of it is installed. */
const INSTALLED = join(VENV, 'requirements.txt');

function isInstalled() {
  try {
    return readFileSync(INSTALLED, 'utf8') === readFileSync(WANTED, 'utf8');
  } catch {
    // Not there, or an installation that never finished. The caller installs anew.
    return false;
  }
}

async function runs(program, args) {
  const { code, output } = await captureChild(program, args, { cwd: FOLDER });
  if (code !== 0) say(`${program} ${args.join(' ')} ended with code ${code}: ${output.trim()}`);
  return code === 0;
}

/** Installs the libraries of test/interop/python in a venv beside their peer. False when Python or pip cannot. */
export async function ensurePythonPeer() {
  // A venv whose Python was taken away or exchanged is made anew.
  if (isInstalled() && (await captureChild(PYTHON, ['-c', 'import redis'])).code === 0) return true;
  say('installing the lock libraries of test/interop/python (pip)…');
  rmSync(VENV, { recursive: true, force: true });
  const done =
    (await runs('python3', ['-m', 'venv', VENV])) &&
    (await runs(PYTHON, ['-m', 'pip', 'install', '--quiet', '--requirement', WANTED]));
  if (done) copyFileSync(WANTED, INSTALLED);
  return done;
}
