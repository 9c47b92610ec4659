import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureChild } from '../child.js';
import { ROOT } from '../root.js';
import { say } from '../say.js';
import { findJava } from '../tools.js';

const FOLDER = join(ROOT, 'test', 'interop', 'java');
/** Where pom.xml puts what it makes. */
const BUILT = join(ROOT, 'test', 'results', 'interop-java');
const STAMP = join(BUILT, 'built-from');
const BUILD = ['-q', '-B', 'compile', 'dependency:copy-dependencies'];

/** The class path of the peer, as `java -cp` wants it. */
export const JAVA_PEER_CLASSES = [join(BUILT, 'classes'), join(BUILT, 'dependency', '*')];

function hashSources() {
  const hash = createHash('sha256');
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join('src', name));
  for (const name of ['pom.xml', ...sources.sort()]) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(FOLDER, name)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Compiles the peer of test/interop/java with its libraries beside it. False when there is no JDK, or Maven cannot. */
export async function ensureJavaPeer() {
  if (!findJava()) return false;
  const sources = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return true;
  say('fetching the lock libraries of test/interop/java with Maven…');
  // What is left from other sources would be loaded as well.
  rmSync(BUILT, { recursive: true, force: true });
  const { code, output } = await captureChild('mvn', BUILD, { cwd: FOLDER });
  if (code !== 0) say(`mvn ended with code ${code}: ${output.trim()}`);
  else writeFileSync(STAMP, sources);
  return code === 0;
}
