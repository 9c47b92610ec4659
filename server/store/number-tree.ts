/** Where the number of one name is kept; null = not known yet. */
export interface Leaf {
  id: number | null;
}

interface Node extends Leaf {
  children: Map<string | number, Node> | null;
}

const newNode = (): Node => ({ id: null, children: null });

/**
 * Numbers of names of several parts. A map for each part: to put the parts together in one text would take longer than
 * all else, as a text that is made anew has to be hashed anew.
 */
export class NumberTree<N> {
  readonly #path: readonly ((name: N) => string | number)[];
  #root = newNode();
  #size = 0;

  constructor(path: readonly ((name: N) => string | number)[]) {
    this.#path = path;
  }

  /** Leaves that were asked for. */
  get size(): number {
    return this.#size;
  }

  /** The leaf of a name, a new one without a number where there was none. */
  leaf(name: N): Leaf {
    let node = this.#root;
    let isNew = false;
    for (const partOf of this.#path) {
      const part = partOf(name);
      node.children ??= new Map();
      let child = node.children.get(part);
      isNew = child === undefined;
      if (!child) node.children.set(part, (child = newNode()));
      node = child;
    }
    if (isNew) this.#size += 1;
    return node;
  }

  clear(): void {
    this.#root = newNode();
    this.#size = 0;
  }
}
