import { describe, expect, it } from 'vitest';
import { classify } from '@/lib/analysis/lock-class';

describe('lock class', () => {
  it.each([
    ['order:17', 'order:*'],
    ['lock:order_sync:17', 'lock:order_sync:*'],
    ['order/17/line/4', 'order/*/line/*'],
    ['user-42-cart', 'user-*-cart'],
    ['{order}:17', '{order}:*'],
    ['{stock}:Ab+/5678901234567890Zz:lock', '{stock}:*:lock'],
    ['{stock}:Ab+/5678901234567890Zz:tock', '{stock}:Ab+/5678901234567890Zz:tock'],
    ['order:{17}', 'order:{*}'],
    ['job:9f8b1c2d:run', 'job:*:run'],
    ['job:deadbeef', 'job:deadbeef'],
    ['a:0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:b', 'a:*:b'],
    ['ulid:01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid:*'],
    ['report:2026-01-02', 'report:*'],
    ['report:2026-01-02T03:04:05Z:x', 'report:*:x'],
    ['import', 'import'],
    ['v2:order', 'v2:order'],
    ['bull:mail:17:lock', 'bull:mail:*:lock'],
    ['', ''],
  ])('gives %j the class %j', (key, expected) => {
    expect(classify(key).class).toBe(expected);
  });

  it.each([
    ['qoder:lock:order_sync:17', 'order_sync'],
    ['asynq:{mails}:unique:send:0123456789abcdef0123456789abcdef', 'mails'],
    ['bull:mail:17:lock', 'mail'],
    ['lock:inventory:9', 'inventory'],
    ['job-lock:default:report', ''],
    ['order:17', 'order'],
    ['import', ''],
    ['lock:import', ''],
    ['lock:17:x', ''],
    ['lock:{order}:17', 'order'],
    ['{hangfire}:mail:send', 'mail'],
    ['lock4j:shop:order', 'shop'],
  ])('gives %j the namespace %j', (key, expected) => {
    expect(classify(key).namespace).toBe(expected);
  });

  it('prefers a declared template', () => {
    expect(classify('order:eu:alpha', ['order:*:*']).class).toBe('order:*:*');
    expect(classify('other:eu', ['order:*:*']).class).toBe('other:eu');
  });

  it('shows bytes that are no text in printable form', () => {
    expect(classify('lock:\xff\x00:7').class).toBe('lock:\\xff\\x00:*');
  });

  it('keeps classes of very long keys short, and alike keys together', () => {
    const long = 'x'.repeat(5000);
    expect(classify(`${long}1`).class).toBe(classify(`${long}2`).class);
    expect(classify(long).class.length).toBeLessThanOrEqual(201);
    expect(classify(`lock:${'12:'.repeat(2000)}`).class.length).toBeLessThanOrEqual(201);
  });
});
