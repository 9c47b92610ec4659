export interface PerfOptions {
  /** Groups to run; null = all. */
  only: string[] | null;
  jsonFile: string | null;
  /** Smaller sizes: shows that everything runs, not what the figures are. */
  quick: boolean;
}

/** Reads `[--only watch,redis] [--json FILE] [--quick]`; null when something is not understood. */
export function parseOptions(words: readonly string[]): PerfOptions | null {
  const options: PerfOptions = { only: null, jsonFile: null, quick: false };
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--quick') options.quick = true;
    else if (word === '--only') options.only = (words[++i] ?? '').split(',').filter(Boolean);
    else if (word === '--json') options.jsonFile = words[++i] ?? null;
    else return null;
  }
  return options;
}
