import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.js';
import { ROOT } from './root.js';
import { SetUpError, say } from './say.js';

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? null;
  } catch {
    // Missing or cut short: an installation that never finished. The caller installs anew.
    return null;
  }
}

/**
 * Compares what a folder's package-lock.json asks for with npm's own record of what it installed there. Versions decide
 * and not file times, which a git checkout changes at will.
 */
export function isInstalledIn(folder) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const present = installed[path];
    // Packages for other systems are in the lock file and not on the disk.
    return present
      ? present.version === entry.version
      : Boolean(entry.optional || entry.devOptional);
  });
}

/** Installs the packages of package-lock.json when they are missing or others. No package runs a script. */
export async function ensureDependencies() {
  if (isInstalledIn(ROOT)) return;
  say('installing the packages of package-lock.json (npm ci)…');
  const code = await runChild(
    'npm',
    ['ci', '--ignore-scripts', '--include=dev', '--loglevel=error'],
    {
      stdio: ['ignore', process.stderr, process.stderr],
    },
  );
  if (code !== 0) throw new SetUpError(`npm ci ended with code ${code}; its messages are above.`);
}
