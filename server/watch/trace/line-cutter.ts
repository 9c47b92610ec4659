import type { Bytes } from '@/lib/protocol/bytes';

/** Of a longer line the beginning is read: the command and its keys come first. */
export const LONGEST_LINE = 65_536;

export interface LineCutter {
  write: (chunk: Bytes) => void;
}

/** Cuts what a socket brings into lines. Keeps no more than {@link LONGEST_LINE} bytes of an unfinished one. */
export function createLineCutter(onLine: (line: string) => void): LineCutter {
  let begun = '';
  const keep = (part: string): void => {
    if (begun.length < LONGEST_LINE) begun += part.slice(0, LONGEST_LINE - begun.length);
  };
  return {
    write: (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        const last = chunk.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
        if (begun === '') {
          onLine(chunk.slice(start, Math.min(last, start + LONGEST_LINE)));
        } else {
          keep(chunk.slice(start, Math.max(start, last)));
          onLine(begun.endsWith('\r') ? begun.slice(0, -1) : begun);
          begun = '';
        }
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.slice(start));
    },
  };
}
