/** Well below what anybody else of this process would notice. */
const SLICE_MS = 2;

/** The text of an object in pieces: a member that is a list item by item. */
function* piecesOf(members: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!Array.isArray(value)) {
      yield JSON.stringify(value) ?? 'null';
      continue;
    }
    yield '[';
    for (const [i, item] of value.entries()) {
      yield `${i > 0 ? ',' : ''}${JSON.stringify(item) ?? 'null'}`;
    }
    yield ']';
  }
  yield before === '{' ? '{}' : '}';
}

/**
 * An object as JSON, like `Response.json`, but written a slice at a time: others of this process get their turn between
 * the lines of a table of megabytes.
 */
export function slicedJson(members: object): Response {
  const pieces = piecesOf(members);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      const end = performance.now() + SLICE_MS;
      let text = '';
      let isDone = false;
      while (!isDone && performance.now() < end) {
        const piece = pieces.next();
        isDone = piece.done === true;
        text += piece.value ?? '';
      }
      controller.enqueue(encoder.encode(text));
      if (isDone) controller.close();
    },
  });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(body, { headers });
}
