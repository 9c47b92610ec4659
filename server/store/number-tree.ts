/** Where the number of one name is kept; null = not known yet. */
export interface Leaf {
  id: number | null;
}

type Part = string | number;
type Leaves = Map<Part, Leaf>;

interface Branch {
  branches: Map<Part, Branch>;
  leaves: Leaves;
}

const newBranch = (): Branch => ({ branches: new Map(), leaves: new Map() });

/**
 * Numbers of names of several parts. A map for each part: to put the parts together in one text would take longer than
 * all else, as a text that is made anew has to be hashed anew. Names that differ in their last part alone are looked up
 * where the one before was found.
 */
export class NumberTree<N> {
  readonly #path: readonly ((name: N) => Part)[];
  readonly #lastPart: (name: N) => Part;
  #root = newBranch();
  #size = 0;
  /** Where the name before was found. */
  #before: { parts: Part[]; leaves: Leaves } | null = null;

  /** `path`: the parts but the last one, those that differ least first. */
  constructor(path: readonly ((name: N) => Part)[], lastPart: (name: N) => Part) {
    this.#path = path;
    this.#lastPart = lastPart;
  }

  /** Leaves that were asked for. */
  get size(): number {
    return this.#size;
  }

  /** Undefined = the name was never asked for. */
  find(name: N): Leaf | undefined {
    return this.#leavesBeside(name).get(this.#lastPart(name));
  }

  /** The leaf of a name, a new one without a number where there was none. */
  leaf(name: N): Leaf {
    const leaves = this.#leavesBeside(name);
    const part = this.#lastPart(name);
    let leaf = leaves.get(part);
    if (!leaf) {
      leaves.set(part, (leaf = { id: null }));
      this.#size += 1;
    }
    return leaf;
  }

  clear(): void {
    this.#root = newBranch();
    this.#size = 0;
    this.#before = null;
  }

  /** Of all names that differ from this one in the last part alone. */
  #leavesBeside(name: N): Leaves {
    const before = this.#before;
    if (before && this.#path.every((partOf, i) => partOf(name) === before.parts[i])) {
      return before.leaves;
    }
    const parts = this.#path.map((partOf) => partOf(name));
    let branch = this.#root;
    for (const part of parts) {
      let next = branch.branches.get(part);
      if (!next) branch.branches.set(part, (next = newBranch()));
      branch = next;
    }
    this.#before = { parts, leaves: branch.leaves };
    return branch.leaves;
  }
}
