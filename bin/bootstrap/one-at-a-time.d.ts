export declare function oneAtATime<T>(
  file: string,
  options: { work: () => Promise<T>; onWait: () => void },
): Promise<T>;
