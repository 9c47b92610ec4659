import type { Advice } from '@/lib/protocol/measures';

/** What the lock client puts before a name, unless it is told another. */
const USUAL_PREFIX = 'qoder:lock:';

const nameOf = (key: string): string =>
  key.startsWith(USUAL_PREFIX) ? key.slice(USUAL_PREFIX.length) : key;

/** As a template literal holds it, without its quotes. */
const inTemplate = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${');

/** Without what stands for any value at its end, which is no part of a name that all share. */
const stem = (lockClass: string): string => nameOf(lockClass).replace(/[:*]+$/, '');

/** How the advice looks in a service that uses the lock client: TypeScript, to be read and adapted. */
export function adviceCode(advice: Advice): string {
  const name = inTemplate(nameOf(advice.lock?.key ?? ''));
  const segments = advice.segments ?? 1;
  switch (advice.assumes) {
    case 'any-segment':
      return [
        `const part = Math.floor(Math.random() * ${segments});`,
        `await locks.using(\`${name}:\${part}\`, () => work(part));`,
      ].join('\n');
    case 'business-id':
      return [
        `const part = hashOf(id) % ${segments}; // or the id itself: one lock for each`,
        `await locks.using(\`${name}:\${part}\`, { businessId: id }, () => work(id));`,
      ].join('\n');
    case 'held-together': {
      const common = inTemplate(advice.classes.map(stem).join('+'));
      return `await locks.using(\`${common}\`, () => workOnBoth());`;
    }
  }
}

/** The segmented stock, where units may come from any segment; null elsewhere. */
export function stockCode({ assumes, lock, segments }: Advice): string | null {
  if (assumes !== 'any-segment' || !lock || segments === null) return null;
  const name = JSON.stringify(nameOf(lock.key));
  return [
    `const stock = createStock({ client: locks, redis, name: ${name}, segments: ${segments} });`,
    'await stock.setUp(units);',
    'await stock.deduct(1, { orderId });',
  ].join('\n');
}
