export function findRedisServer(): string | null;
export function findChromium(): string | null;
