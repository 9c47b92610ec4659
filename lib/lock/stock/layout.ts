import type { SetUp } from './set-up.js';

/** What a set-up fixed for the stock's life. */
export interface Layout {
  segments: number;
}

/** The layout, read once and again after it turned out to be out of date. */
export class KnownLayout {
  readonly #setUp: SetUp;
  #layout: Promise<Layout> | null = null;

  constructor(setUp: SetUp) {
    this.#setUp = setUp;
  }

  /** Throws STOCK_NOT_SET_UP, and what finishing another's set-up throws. */
  async get(): Promise<Layout> {
    this.#layout ??= this.#setUp.layout().catch((error: unknown) => {
      this.forget();
      throw error;
    });
    return await this.#layout;
  }

  forget(): void {
    this.#layout = null;
  }
}
