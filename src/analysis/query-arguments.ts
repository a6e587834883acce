/** A query argument, when it is there and not empty. Of several the first counts. */
export function readText(query: unknown, name: string): string | undefined {
  return firstOf(query, name) || undefined;
}

/** Whether a query argument says yes: `true` in any case, or nothing at all. Everything else, and its absence, is no. Of several the first counts. */
export function readFlag(query: unknown, name: string): boolean {
  const text = firstOf(query, name);
  return text === '' || text?.toLowerCase() === 'true';
}

function firstOf(query: unknown, name: string): string | undefined {
  const given =
    typeof query === 'object' && query !== null ? (query as Readonly<Record<string, unknown>>)[name] : undefined;
  const value: unknown = Array.isArray(given) ? given[0] : given;
  return typeof value === 'string' ? value : undefined;
}
