import { delimiter } from 'node:path';
import { ensureServer, SERVER_VERSIONS } from '../../bootstrap/servers.js';
import { SetUpError } from '../../bootstrap/say.js';

/** Runs `work` with the Redis of that version first on the PATH. Null where that version cannot be had. */
export async function onRedis(version, work) {
  const folder = await ensureServer(version);
  if (!folder) return null;
  const before = process.env.PATH;
  process.env.PATH = [folder, before].join(delimiter);
  try {
    return await work();
  } finally {
    process.env.PATH = before;
  }
}

/** Takes `--redis VERSION` from the arguments. */
export function takeRedis(args) {
  const at = args.indexOf('--redis');
  if (at < 0) return { version: null, rest: args };
  const version = args[at + 1] ?? '';
  if (!SERVER_VERSIONS.includes(version)) {
    throw new SetUpError(`--redis wants one of ${SERVER_VERSIONS.join(', ')}, not "${version}".`);
  }
  return { version, rest: args.toSpliced(at, 2) };
}

/** The same, where it has to be had. */
export async function onAskedRedis(version, work) {
  if (version === null) return await work();
  const result = await onRedis(version, work);
  if (result === null) throw new SetUpError(`Redis ${version} cannot be had on this machine.`);
  return result;
}
