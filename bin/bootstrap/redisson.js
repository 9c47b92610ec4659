import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from './child.js';
import { ROOT } from './root.js';
import { say } from './say.js';
import { findJava } from './tools.js';

const FOLDER = join(ROOT, 'test', 'support', 'lock-fleet', 'redisson');
/** The program that the tests lock with, run from its source. */
export const REDISSON_SOURCE = join(FOLDER, 'RedissonPeer.java');
export const REDISSON_JARS = join(ROOT, 'test', 'results', 'redisson');

const hasJars = () =>
  existsSync(REDISSON_JARS) &&
  readdirSync(REDISSON_JARS).some((name) => name.startsWith('redisson'));

/** Path of a Java that can run Redisson, with its jars fetched by Maven; null where there is none to be had. */
export async function ensureRedisson() {
  const java = findJava();
  if (!java || hasJars()) return java;
  say('fetching Redisson with Maven, for the tests that lock beside it…');
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${REDISSON_JARS}`];
  const { code, output } = await captureChild('mvn', ['-q', '-B', ...goal], { cwd: FOLDER });
  if (code === 0) return java;
  say(`mvn ended with code ${code}: ${output.trim()}`);
  return null;
}
