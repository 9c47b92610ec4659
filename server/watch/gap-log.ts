import type { Gap, GapReason } from '@/lib/protocol/target';

const MAX_GAPS = 200;

/** The spans in which events may have been missed, newest last; at most one is open. */
export interface GapLog {
  open: (from: number, reason: GapReason) => void;
  /** Ends the open gap; `reason` when more is known by now. Null when none was open. */
  close: (to: number, reason?: GapReason) => { from: number; to: number; reason: GapReason } | null;
  readonly isOpen: boolean;
  /** When the open gap began; null = none is open. */
  readonly openSince: number | null;
  all: () => Gap[];
  /** Whether a gap of this reason ended (or lasts) after `since`. */
  has: (reason: GapReason, since: number) => boolean;
}

export function createGapLog(): GapLog {
  const gaps: Gap[] = [];
  const last = (): Gap | undefined => gaps.at(-1);
  return {
    open: (from, reason) => {
      if (last()?.to === null) return;
      gaps.push({ from, to: null, reason });
      if (gaps.length > MAX_GAPS) gaps.shift();
    },
    close: (to, reason) => {
      const gap = last();
      if (!gap || gap.to !== null) return null;
      gap.to = to;
      if (reason) gap.reason = reason;
      return { from: gap.from, to, reason: gap.reason };
    },
    get isOpen() {
      return last()?.to === null;
    },
    get openSince() {
      const gap = last();
      return gap?.to === null ? gap.from : null;
    },
    all: () => gaps.map((gap) => ({ ...gap })),
    has: (reason, since) =>
      gaps.some((gap) => gap.reason === reason && (gap.to === null || gap.to >= since)),
  };
}
