export interface Job {
  port: number;
  /** Names beginning with `steps` go by steps, others by checkpoints. */
  tasks: string[];
  steps: number;
  stepMs: number;
  leaseMs: number;
}

/** KEYS: resource. ARGV: fence. Returns 1, or 0 for a fence smaller than one that was there. */
export const FENCED_WRITE = `
if tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[1]) or '0') then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
`;
