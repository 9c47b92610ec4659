import { describe, expect, it } from 'vitest';
import { createHeartbeat } from '@/server/watch/heartbeat';

function aConnection(over: { waitingMs: number; silentMs: number }) {
  const sent: unknown[] = [];
  return { sent, connection: { ...over, send: (args: unknown) => void sent.push(args) } };
}

describe('the heartbeat', () => {
  it('gives up a connection that neither answers nor tells anything', () => {
    let stalled = 0;
    const { connection } = aConnection({ waitingMs: 3000, silentMs: 3000 });
    const heartbeat = createHeartbeat(connection, () => stalled++);
    heartbeat.beat();
    expect(stalled).toBe(0);
    heartbeat.beat();
    expect(stalled).toBe(1);
  });

  it('keeps a connection whose answers wait behind events that still arrive', () => {
    let stalled = 0;
    const { connection, sent } = aConnection({ waitingMs: 60_000, silentMs: 5 });
    const heartbeat = createHeartbeat(connection, () => stalled++);
    for (let beat = 0; beat < 10; beat++) heartbeat.beat();
    expect(stalled).toBe(0);
    expect(sent).toEqual([]);
  });

  it('asks anew while answers come in time', () => {
    const { connection, sent } = aConnection({ waitingMs: 0, silentMs: 2000 });
    createHeartbeat(connection, () => expect.unreachable()).beat();
    expect(sent).toEqual([['PING']]);
  });
});
