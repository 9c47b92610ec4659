type Context = Pick<CanvasRenderingContext2D, 'font' | 'measureText'>;

const MOST_KNOWN = 6000;
const MOST_CHARACTERS = 400;

/**
 * Measures and cuts texts for a canvas, and keeps what it found: measuring is dear, and every frame of a
 * zoom shows the same names.
 */
export class HeatTexts {
  readonly #widths = new Map<string, number>();
  readonly #cuts = new Map<string, string>();

  width(context: Context, text: string): number {
    return kept(this.#widths, `${context.font}\n${text}`, () => context.measureText(text).width);
  }

  /** Cuts a text in the middle so that it fits: the ends of a class name tell more than its middle. */
  fit(context: Context, text: string, width: number): string {
    if (this.width(context, text) <= width) return text;
    const room = Math.floor(width);
    return kept(this.#cuts, `${context.font}\n${room}\n${text}`, () =>
      cutToFit(context, text, room),
    );
  }
}

function kept<T>(known: Map<string, T>, name: string, make: () => T): T {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const made = make();
  known.set(name, made);
  return made;
}

function cutToFit(context: Context, text: string, width: number): string {
  let low = 1;
  let high = Math.min(text.length, MOST_CHARACTERS);
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    if (context.measureText(cutMiddle(text, keep)).width <= width) low = keep;
    else high = keep - 1;
  }
  return cutMiddle(text, low);
}

function cutMiddle(text: string, keep: number): string {
  const characters = Array.from(text.slice(0, 2000));
  const head = Math.ceil(keep / 2);
  const tail = Math.floor(keep / 2);
  return `${characters.slice(0, head).join('')}…${tail > 0 ? characters.slice(-tail).join('') : ''}`;
}
