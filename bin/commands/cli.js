import { pathToFileURL } from 'node:url';
import { ensureCli } from '../bootstrap/build.js';
import { ensureDependencies } from '../bootstrap/install.js';
import { isCheckout } from '../bootstrap/root.js';

/**
 * The commands that ask a Redis something: in this process and folder, with config/lock.yaml of the folder
 * that the command was given in. Builds neither pages nor server.
 */
export async function run(args) {
  if (isCheckout()) await ensureDependencies();
  const cli = await import(pathToFileURL(await ensureCli()).href);
  return await cli.run(args);
}
