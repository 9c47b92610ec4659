import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the checkout, or of the installed package, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/**
 * Whether this is a checkout, which installs its packages and builds by itself. An installed package brings
 * everything built, and has its packages from the one that installed it; npm packs no lock file.
 */
export const isCheckout = () => existsSync(join(ROOT, 'package-lock.json'));
