/** The address of one trace's page. */
export const traceHref = (id: string): string => `/traces/${encodeURIComponent(id)}`;
