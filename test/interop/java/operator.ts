import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import type { LockDetail } from '@/lib/protocol/lock';
import { until } from '@/test/support/until';
import type { InteropWorld } from '@/test/interop/world';

const REASON = 'the interop suite tries it';

/** Waits until the page of that lock satisfies; fails with what it last said. */
export async function untilShown(
  { console }: InteropWorld,
  key: string,
  isSo: (lock: LockDetail) => boolean,
): Promise<LockDetail> {
  let last: LockDetail | undefined;
  return await until(
    `${key} is shown so`,
    async () => {
      last = await console.detail(key);
      return last && isSo(last) ? last : undefined;
    },
    8000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\nlast seen: ${JSON.stringify(last)}`);
  });
}

export const untilHeldBy = async (
  world: InteropWorld,
  key: string,
  owner: string | null | undefined,
): Promise<LockDetail> =>
  await untilShown(world, key, ({ hold }) => hold !== null && hold.owner.id === owner);

async function post(world: InteropWorld, path: string, body: object): Promise<unknown> {
  const answer = await world.console.request('POST', `/api/v1/${path}`, {
    body: { ...body, reason: REASON },
  });
  if (answer.status === 200) return answer.body;
  throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** An operator's act on a lock of db 0. Returns its result; fails where it is refused. */
export async function act(
  world: InteropWorld,
  key: string,
  verb: 'release' | 'remove-member' | 'drop-waiter',
  body: object,
): Promise<unknown> {
  const [target] = await world.console.query('targets');
  const address = `${encodeURIComponent(target?.id ?? '')}/0/${toBase64Url(bytesFromText(key))}`;
  return await post(world, `locks/${address}/${verb}`, body);
}

/** Says that keys of this pattern are locks of that format. */
export async function pin(world: InteropWorld, pattern: string, format: string): Promise<void> {
  const [target] = await world.console.query('targets');
  await post(world, 'pins', { target: target?.id, pattern, format });
}

export const releaseShown = async (
  world: InteropWorld,
  { key, hold }: LockDetail,
): Promise<unknown> => await act(world, key, 'release', { version: hold?.version });
