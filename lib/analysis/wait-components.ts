interface Visit {
  node: number;
  next: number;
}

/**
 * Tarjan's strongly connected components (SIAM J. Comput. 1972), with the recursion unrolled because a chain of waits
 * can be deeper than the stack. `next` lists for each node those it leads to. Returns the component of each node.
 */
export function componentsOf(next: readonly (readonly number[])[]): Int32Array {
  const index = new Int32Array(next.length).fill(-1);
  const low = new Int32Array(next.length);
  const component = new Int32Array(next.length).fill(-1);
  const open: number[] = [];
  const path: Visit[] = [];
  let visited = 0;
  let components = 0;
  const enter = (node: number): void => {
    low[node] = index[node] = visited++;
    open.push(node);
    path.push({ node, next: 0 });
  };
  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1)?.node;
    const lowest = low[node] ?? 0;
    if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, lowest);
    if (lowest !== index[node]) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      component[member] = components;
      if (member === node) break;
    }
    components++;
  };
  for (let root = 0; root < next.length; root++) {
    if (index[root] !== -1) continue;
    enter(root);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = next[top.node]?.[top.next];
      top.next++;
      if (to === undefined) leave(top.node);
      else if (index[to] === -1) enter(to);
      else if (component[to] === -1) {
        low[top.node] = Math.min(low[top.node] ?? 0, index[to] ?? 0);
      }
    }
  }
  return component;
}
