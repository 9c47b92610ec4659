import { runChild } from '@/test/support/lock-fleet/child';
import { createToyLocks, MISTAKES, type Toy } from '@/test/support/lock-fleet/toy-locks';

/** The toy is named by the client's namespace, the one free word among its options. */
runChild((redis, { client }) => {
  const toys: Toy[] = ['sound', ...MISTAKES];
  const toy = toys.find((name) => name === client.namespace);
  if (!toy) throw new Error(`there is no toy lock ${client.namespace}`);
  return createToyLocks(redis, toy, client.ttlMs ?? 1_000);
});
