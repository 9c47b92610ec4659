import { PEERS } from '@/test/perf/lock/peers';
import { parseOptions } from '@/test/perf/options';

export const PARTS = ['uncontended', 'contended'] as const;
export type Part = (typeof PARTS)[number];

export interface LockBenchOptions {
  parts: readonly Part[];
  peers: readonly string[];
  jsonFile: string | null;
  quick: boolean;
}

export const USAGE = `usage: npm run bench:lock -- [--only ${PARTS.join(',')}] [--json FILE] [--quick]
         [--peers ${PEERS.map(({ name }) => name).join(',')}]   ("--peers none": ours and plain ioredis only)
`;

/** Takes `--peers a,b` out of the words; null = not given. */
function takePeers(words: readonly string[]): { peers: string[] | null; rest: string[] } {
  const at = words.indexOf('--peers');
  if (at < 0) return { peers: null, rest: [...words] };
  return {
    peers: (words[at + 1] ?? '').split(',').filter((name) => name !== '' && name !== 'none'),
    rest: words.toSpliced(at, 2),
  };
}

/** Null when something is not understood. */
export function parseLockOptions(words: readonly string[]): LockBenchOptions | null {
  const { peers, rest } = takePeers(words);
  const options = parseOptions(rest);
  if (!options) return null;
  const known = PEERS.map(({ name }) => name);
  const only = options.only ?? [...PARTS];
  if (peers?.some((name) => !known.includes(name))) return null;
  if (only.some((part) => !PARTS.some((each) => each === part))) return null;
  return {
    parts: PARTS.filter((part) => only.includes(part)),
    peers: peers ?? known,
    jsonFile: options.jsonFile,
    quick: options.quick,
  };
}
