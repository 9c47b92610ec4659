/** The address of an incident's page; with `at` (epoch ms) it tells what came after that moment. */
export function alertHref({ id }: { id: string }, at?: number): string {
  const path = `/alerts/${encodeURIComponent(id)}`;
  return at === undefined ? path : `${path}?at=${at}`;
}
