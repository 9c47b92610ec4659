import { z } from 'zod';

const Work = z.object({
  kind: z.literal('work'),
  name: z.string(),
  services: z.array(z.string()),
  seed: z.number(),
  address: z.object({ host: z.string(), port: z.number(), password: z.string() }),
});
export type Work = z.infer<typeof Work>;

const Guard = z.object({
  kind: z.literal('guard'),
  /** Processes to end and folder to remove when the demo itself is killed. */
  pids: z.array(z.number()),
  folder: z.string(),
});
export type Guard = z.infer<typeof Guard>;

/** What a worker process is told over its channel. */
export const Assignment = z.discriminatedUnion('kind', [Work, Guard]);
export type Assignment = z.infer<typeof Assignment>;
