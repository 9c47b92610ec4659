import { io } from 'socket.io-client';
import { applyPatch, type Patch } from '@/lib/live/patch';
import type { Lock } from '@/lib/protocol/lock';
import { ADMIN_TOKEN } from '@/test/support/console';

interface Page {
  items: Lock[];
}
interface Opened {
  ok: boolean;
  value?: { stream: string; version: number; data: Page };
}
interface Incoming {
  stream: string;
  from: number;
  to: number;
  patch: Patch;
}

/** Opens the live list of locks as a browser does; `onLocks` gets it after every frame. */
export async function followLocks(
  url: string,
  params: { q: string },
  onLocks: (locks: Lock[], frame: Incoming | null) => void,
): Promise<{ close: () => void }> {
  const socket = io(url, { transports: ['websocket'], auth: { token: ADMIN_TOKEN } });
  let page: Page = { items: [] };
  let version = 0;
  let stream = '';
  const open = async (): Promise<void> => {
    const request = { query: 'locks', params: { ...params, limit: 1000 } };
    const answer: Opened = await socket.emitWithAck('query:open', request);
    if (!answer.value) throw new Error(`the list cannot be opened: ${JSON.stringify(answer)}`);
    ({ stream, version } = answer.value);
    page = answer.value.data;
    onLocks(page.items, null);
  };
  socket.on('query:frame', (frame: Incoming) => {
    if (frame.stream !== stream) return;
    if (frame.from !== version) return void open();
    page = applyPatch(page, frame.patch) as Page;
    version = frame.to;
    onLocks(page.items, frame);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  await open();
  return { close: () => void socket.close() };
}
