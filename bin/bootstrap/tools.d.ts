export function findRedisServer(): string | null;
export function findChromium(): string | null;
export function findJava(): string | null;
