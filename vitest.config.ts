import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // None of them says how fast: they end what hangs, also where everything takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Real servers and browsers on small machines: more files at once only make each slower.
    maxWorkers: 2,
  },
});
