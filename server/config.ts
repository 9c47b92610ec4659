import type { Bytes } from '@/lib/protocol/bytes';

/** Everything that can be set, parsed and checked. Made by `loadConfig` and passed on; nobody else reads the environment. */
export interface Config {
  redis: {
    /** As given, for connecting; never shown or logged. */
    url: string;
    /** Without password, for people. */
    displayUrl: string;
    mode: 'standalone' | 'sentinel' | 'cluster';
    db: number;
  };
  /** Operator's own patterns (glob, bytes), without `*`. */
  watchPatterns: Bytes[];
  /** `*` was among them: look at every key and recognise locks by their value. */
  watchEverything: boolean;
  /** Db numbers, or all of them. */
  dbs: number[] | 'all';
  host: string;
  port: number;
  databaseUrl: string | null;
  dataDir: string;
  adminToken: string | null;
  longHoldMs: number;
  noExpiryMs: number;
  allowInsecureRedis: boolean;
  isProduction: boolean;
  /** Secret for session cookies, made and kept under the data directory at first start. */
  authSecret: string;
  /** What browsers call the console, for links and origin checks. */
  publicUrl: string;
}
