import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue, RecogniseContext } from '@/lib/formats/format';
import { readUuid1 } from '@/lib/formats/redis-py';
import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import { hash, list, text, zset } from '@/test/support/raw-values';

const UUID_4 = 'b983c153-7421-469a-addb-44fb92259a1b';
const UUID_1_HEX = '12fd2086ec4611f188df02fc00000001';
const UUID_1_AT = readUuid1(UUID_1_HEX)?.at ?? 0;
const UUID_1_BASE64 = Buffer.from(UUID_1_HEX, 'hex').toString('base64');
const LONG_AGO_BASE64 = Buffer.from('12fd2086ec4611d188df02fc00000001', 'hex').toString('base64');
const RANDOM_BASE64 = Buffer.from('b983c1537421469aaddb44fb92259a1b', 'hex').toString('base64');
const RANDOM_HEX = '0123456789abcdef0123456789abcdef';
const NOW = UUID_1_AT + 1000;
const CHAT_TOKEN = 'redis_1790000000123_k3x9q0ab1c';

const context = { declared: false, now: NOW, pttl: 1000 };
const found = (key: string, value: RawValue | null, more: Partial<RecogniseContext> = {}) =>
  formatTable.recognise(key, value, { ...context, ...more });

/** Ids of all formats that fit, by certainty. */
function fitting(key: string, value: RawValue, more: Partial<RecogniseContext> = {}): string[] {
  const all = found(key, value, more);
  return all ? [all.format.id, ...all.others.map(({ format }) => format.id)] : [];
}

const holdersOf = (id: string, key: string, value: RawValue) =>
  formatTable.byId(id).decode(key, value, { now: NOW, leaseMs: null }).holders;

describe('locks of Node that are alone of their shape', () => {
  it.each<[string, string, RawValue]>([
    ['bullmq', 'bull:mail:17:lock', text(`${UUID_4}:3`)],
    ['bullmq', 'bull:mail:17:lock', text('token-of-a-caller')],
    ['bull', 'bull:mail:17:lock', text(UUID_4)],
    ['warlock', 'jobs:1:lock', text(UUID_1_BASE64)],
    ['medusa', 'medusa_lock:cart_1', text(`execute:${UUID_4}`)],
    ['medusa', 'medusa_lock:cart_1', text('*')],
    ['medusa', 'medusa_lock:cart_1', text('worker-7')],
    ['medusa', 'shop:cart_1', text(`execute:${UUID_4}`)],
    ['chat-adapter', 'chat-sdk:lock:slack:C1:17', text(CHAT_TOKEN)],
    ['chat-adapter', 'bot:lock:slack:C1:17', text(CHAT_TOKEN)],
    ['redis-semaphore-mutex', 'mutex:a', text(UUID_4)],
    ['redis-semaphore', 'semaphore:a', zset([`${UUID_4}_0`, NOW], [`${UUID_4}_1`, NOW])],
  ])('are certain: %s at %s', (id, key, value) => {
    expect(found(key, value)).toMatchObject({
      format: { id },
      recognition: { certainty: 'certain' },
      others: [],
    });
  });

  it.each<[string, string, RawValue]>([
    ['another type at a name of ours', 'medusa_lock:a', hash(['a', '1'])],
    ['execute without a uuid', 'shop:a', text('execute:now')],
    ['execute with more behind the uuid', 'shop:a', text(`execute:${UUID_4}x`)],
    ['a list of messages', 'chat-sdk:queue:t', list('{}')],
    ['a time that is too short', 'bot:lock:a', text('redis_17900000001_k3x9')],
    ['a name with more behind', 'bull:mail:17:locks', text(UUID_4)],
    ['a uuid in base64 of another name', 'jobs:1:lok', text(UUID_1_BASE64)],
    ['a uuid of long ago in base64', 'jobs:1:lock', text(LONG_AGO_BASE64)],
    ['a cut value', 'jobs:1:lock', text(UUID_1_BASE64, true)],
  ])('are not %s', (_name, key, value) => {
    const ids = ['bull', 'warlock', 'medusa', 'chat-adapter'];
    expect(fitting(key, value).filter((id) => ids.includes(id))).toEqual([]);
  });

  it('are not taken for each other: a random token at NAME:lock is none of warlock', () => {
    expect(fitting('jobs:1:lock', text(RANDOM_BASE64))).not.toContain('warlock');
  });
});

describe('locks of Node that look alike', () => {
  it('are all named where a token is 32 hex digits', () => {
    const family = ['redlock', 'sesamecare-redlock', 'redlock-universal', 'locco'];
    expect(fitting('res', text(RANDOM_HEX))).toEqual(family);
    expect(fitting('res', text(RANDOM_HEX), { pttl: null })).toEqual([]);
    expect(fitting('res', text(RANDOM_HEX.toUpperCase()))).toEqual([]);
  });

  it('are told apart by how they renew', () => {
    expect(fitting('res', text(RANDOM_HEX), { renewedBy: 'expire' })).toEqual([
      'redlock-universal',
    ]);
    expect(fitting('res', text(RANDOM_HEX), { renewedBy: 'set' })).not.toContain(
      'redlock-universal',
    );
  });

  it('are not named for a uuid of now, which is redis-py’s', () => {
    const ids = fitting('res', text(UUID_1_HEX));
    expect(ids[0]).toBe('redis-py');
    expect(ids).not.toContain('sesamecare-redlock');
    expect(ids).not.toContain('locco');
  });

  it.each<[string, string, string]>([
    ['ioredis-lock', 'order-lock', UUID_4],
    ['verrou', 'order-lock', 'k3x9q0ab1cz'],
    ['verrou', 'order-lock', 'k3x9q0ab1'],
  ])('are likely where the name says lock, or an operator: %s', (id, key, value) => {
    expect(fitting(key, text(value))).toContain(id);
    expect(found(key, text(value))?.recognition.certainty).toBe('likely');
    expect(fitting('session:9', text(value))).toEqual([]);
    expect(fitting('session:9', text(value), { declared: true })).toContain(id);
  });

  it.each<[string, string, string]>([
    ['ioredis-lock', 'a uuid of another version', '0b7e2c9e-4f5a-1a0e-9a0f-1b2c3d4e5f60'],
    ['verrou', 'a word', 'processing'],
    ['verrou', 'a number', '1790000000'],
    ['verrou', 'something longer', 'k3x9q0ab1cz11'],
    ['verrou', 'capitals', 'K3X9Q0AB1CZ'],
    ['bull', 'what is no uuid', `${UUID_4}0`],
  ])('are not %s where the value is %s', (id, _name, value) => {
    expect(fitting('a:b:1:lock', text(value))).not.toContain(id);
  });

  it('are bull’s among others where a uuid stands at PREFIX:QUEUE:JOB:lock', () => {
    expect(found('q:mail:17:lock', text(UUID_4))).toMatchObject({
      format: { id: 'bull' },
      recognition: { certainty: 'likely' },
    });
  });
});

describe('holders of Node’s libraries', () => {
  it('of warlock name the node and when it was taken', () => {
    expect(holdersOf('warlock', 'a:lock', text(UUID_1_BASE64))).toMatchObject([
      {
        token: UUID_1_BASE64,
        owner: { id: UUID_1_BASE64, instance: '02:fc:00:00:00:01' },
        tokenTime: { at: UUID_1_AT, means: 'taken' },
      },
    ]);
    expect(holdersOf('warlock', 'a:lock', text('x'))[0]?.tokenTime).toBeNull();
  });

  it('of Medusa are nobody where none was given', () => {
    expect(holdersOf('medusa', 'medusa_lock:a', text('*'))).toMatchObject([
      { token: '*', owner: { id: NO_OWNER_ID } },
    ]);
    expect(holdersOf('medusa', 'medusa_lock:a', text('w'))[0]?.owner.id).toBe('w');
  });

  it('of bull and bullmq name queue and worker', () => {
    expect(holdersOf('bull', 'bull:q:1:lock', text(UUID_4))[0]?.owner.instance).toBe(UUID_4);
    expect(holdersOf('bullmq', 'bull:q:1:lock', text(`${UUID_4}:3`))[0]?.owner).toMatchObject({
      instance: UUID_4,
      thread: '3',
    });
  });

  it('of a multi-semaphore are its permits, with whose they are', () => {
    const value = zset([`${UUID_4}_0`, NOW], [`${UUID_4}_1`, NOW], ['host_3', NOW]);
    expect(holdersOf('redis-semaphore', 'semaphore:a', value)).toMatchObject([
      { role: 'permit', owner: { id: `${UUID_4}_0`, instance: UUID_4, thread: '0' } },
      { role: 'permit', owner: { id: `${UUID_4}_1`, instance: UUID_4, thread: '1' } },
      { role: 'permit', owner: { id: 'host_3', instance: null, thread: null } },
    ]);
  });

  it('of a value of another type are a contradiction', () => {
    for (const id of ['redlock-universal', 'locco', 'medusa', 'warlock', 'verrou', 'chat-adapter'])
      expect(
        formatTable.byId(id).decode('k', list('a'), { now: NOW, leaseMs: null }),
      ).toMatchObject({ holders: [], broken: 'key is used for something else' });
  });
});

describe('a conversation of the chat adapter', () => {
  const key = 'chat-sdk:lock:slack:C1:17';
  const queue = 'chat-sdk:queue:slack:C1:17';
  const format = formatTable.byId('chat-adapter');
  const waitersWith = (value: RawValue | null) =>
    format.decode(key, text(CHAT_TOKEN), {
      now: NOW,
      leaseMs: null,
      beside: new Map([[queue, { value, pttl: null }]]),
    }).waiters;

  it('says when it was taken', () => {
    expect(holdersOf('chat-adapter', key, text(CHAT_TOKEN))).toMatchObject([
      { tokenTime: { at: 1_790_000_000_123, means: 'taken' } },
    ]);
  });

  it('is read with its queue, and an event of the queue has it read', () => {
    expect(formatTable.beside(key, null)).toContain(queue);
    expect(formatTable.beside('bot:lock:t', text(CHAT_TOKEN))).toContain('bot:queue:t');
    expect(format.beside?.('bot:lock:t', null)).toEqual([]);
    expect(format.beside?.('nothing', text(CHAT_TOKEN))).toEqual([]);
    expect(formatTable.sideKey(queue)).toEqual({ parent: key });
    expect(formatTable.watchedPrefixes).toContain('chat-sdk:queue:');
  });

  it('counts the messages that wait and shows none', () => {
    const waiters = waitersWith(list('{"text":"secret"}', '{"text":"more"}'));
    expect(waiters?.map(({ owner }) => owner.id)).toEqual(['(message 1)', '(message 2)']);
    expect(waitersWith(null)).toEqual([]);
    expect(waitersWith(text('x'))).toEqual([]);
    const many: RawValue = { type: 'list', items: ['a'], size: 5_000_000, truncated: true };
    expect(waitersWith(many)).toHaveLength(1000);
  });
});

describe('names of Node’s libraries', () => {
  it.each([
    ['medusa_lock:a', 'medusa'],
    ['chat-sdk:lock:a', 'chat-adapter'],
    ['bull:q:1:lock', 'bullmq'],
    ['jobs:1:lock', undefined],
    ['chat-sdk:cache:a', undefined],
  ])('%s settle the format %s', (key, id) => {
    expect(formatTable.byName(key, false)?.id).toBe(id);
  });

  it('of jobs may not be released from here', () => {
    for (const id of ['bull', 'bullmq'])
      expect(formatTable.byId(id)).toMatchObject({ kind: 'job', release: null, readOnly: true });
  });
});
