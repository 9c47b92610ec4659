import { io } from 'socket.io-client';
import { z } from 'zod';
import { applyPatch } from '@/lib/live/patch';
import { AlertPage, type Alert } from '@/lib/protocol/alert';
import { ADMIN_TOKEN } from '@/test/support/console';

const Opened = z.object({
  value: z.object({ stream: z.string(), version: z.number(), data: z.unknown() }),
});

interface Incoming {
  stream: string;
  from: number;
  to: number;
  patch: Parameters<typeof applyPatch>[1];
}

/** Opens the live list of deadlock alerts as a browser does; `onAlerts` gets it after every frame. */
export async function followDeadlockAlerts(
  url: string,
  onAlerts: (alerts: readonly Alert[]) => void,
): Promise<{ close: () => void }> {
  const socket = io(url, { transports: ['websocket'], auth: { token: ADMIN_TOKEN } });
  let page: unknown = null;
  let version = 0;
  let stream = '';
  const tell = (): void => onAlerts(AlertPage.parse(page).items);
  const open = async (): Promise<void> => {
    const request = { query: 'alerts', params: { code: 'deadlock', state: 'open', limit: 1000 } };
    const { value } = Opened.parse(await socket.emitWithAck('query:open', request));
    ({ stream, version, data: page } = value);
    tell();
  };
  socket.on('query:frame', (frame: Incoming) => {
    if (frame.stream !== stream) return;
    if (frame.from !== version) return void open();
    page = applyPatch(page, frame.patch);
    version = frame.to;
    tell();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  await open();
  return { close: () => void socket.close() };
}
