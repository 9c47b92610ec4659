import { fileURLToPath } from 'node:url';

/** Folder of the checkout, without a trailing slash. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
