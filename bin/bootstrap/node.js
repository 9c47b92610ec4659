import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { runChild } from './child.js';
import { say } from './say.js';

const FLOOR = [22, 12];

function isEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1]);
}

/** Where npm keeps (or now fetches) the Node of the package `node`. */
function fetchNode() {
  return execFileSync(
    'npx',
    ['-y', '--prefer-offline', '-p', 'node@24', 'node', '-p', 'process.execPath'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
    .trim()
    .split('\n')
    .at(-1);
}

/**
 * Returns null when this Node is new enough. Otherwise runs the same command under Node 24 from npm and
 * returns its exit code. The path is asked for and started directly, because npx would stand between
 * the terminal's signals and the command.
 */
export async function ensureNode() {
  if (isEnough(process.versions.node)) return null;
  say(
    `Node ${process.versions.node} is older than ${FLOOR.join('.')}: going on under Node 24 from npm.`,
  );
  let node;
  try {
    node = fetchNode();
  } catch {
    say('Node 24 could not be fetched from npm; install Node 22.12 or newer and run this again.');
    return 1;
  }
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH };
  return await runChild(node, process.argv.slice(1), { env, cwd: process.cwd() });
}
