/** Content whose parts betray a mixture of two versions. */
export interface Marked {
  mark: number;
  parts: number[];
  again: { mark: number };
}

export const marked = (mark: number, length = 20): Marked => ({
  mark,
  parts: Array.from({ length }, () => mark),
  again: { mark },
});

export const isWhole = ({ mark, parts, again }: Marked): boolean =>
  again.mark === mark && parts.every((part) => part === mark);
