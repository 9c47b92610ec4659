import { join } from 'node:path';
import { ROOT } from '@/bin/bootstrap/root.js';

/** Where the peers are installed, outside of our own packages. */
export const PEERS_FOLDER = join(ROOT, 'dist', 'bench-peers');
