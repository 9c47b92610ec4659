import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const LOOK_EVERY_MS = 300;
/** No build takes so long, even on a busy machine: what is older was left behind by a process whose id another one has now. */
const LEFT_BEHIND_MS = 20 * 60_000;

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return error.code === 'EPERM';
  }
}

/** Whether it was made; false = somebody else's is there. */
function makeMark(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isLeftBehind(file) {
  try {
    const { mtimeMs } = statSync(file);
    return !isRunning(Number(readFileSync(file, 'utf8'))) || Date.now() - mtimeMs > LEFT_BEHIND_MS;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Runs `work` while no other process does that names the same file. `onWait` is called once when another one does, and
 * `work` begins after its end; the mark of a process that is gone counts for nothing.
 */
export async function oneAtATime(file, { work, onWait }) {
  let hasWaited = false;
  while (!makeMark(file)) {
    if (isLeftBehind(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!hasWaited) onWait();
    hasWaited = true;
    await setTimeout(LOOK_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
