import { Redis } from 'ioredis';
import { createConfigWriter } from '@/lib/lock/hot-config/index';
import { createLockClient } from '@/lib/lock/index';
import { marked, type Marked } from '@/test/lib/lock/hot-config/marked';
import { pause } from '@/test/support/pause';

// A process that adds one to a configuration's mark until it is killed: `node … <port> <name> <editMs>`.
// Says `ready`, `editing <fence>` within a change, and then `done <version> <mark>` or `refused <code>`.
const [port, name = '', editMs] = process.argv.slice(2);
const say = (...words: (string | number)[]): void =>
  void process.stdout.write(`${words.join(' ')}\n`);
const redis = new Redis({ port: Number(port) });
const client = createLockClient({ redis, allowInsecure: true, ttlMs: 500 });
const writer = createConfigWriter<Marked>({ client, redis, name });
say('ready');
for (;;) {
  try {
    const { version, content } = await writer.change(async (current, lock) => {
      say('editing', lock.fence);
      if (Number(editMs) > 0) await pause(Number(editMs));
      return marked((current?.mark ?? 0) + 1);
    });
    say('done', version, content.mark);
  } catch (error) {
    say('refused', error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
}
