import { Redis } from 'ioredis';

/**
 * The baseline: an ioredis that subscribes to every keyspace event with an empty handler. Its own process,
 * so that its CPU time is its own. Told the Redis as an argument, says `ready` when subscribed.
 */
const redis = new Redis(process.argv[2] ?? '');
redis.on('pmessage', () => undefined);
await redis.psubscribe('__keyspace@*__:*');
process.stdout.write('ready\n');
