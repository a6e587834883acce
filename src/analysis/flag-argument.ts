/** Whether a query argument says yes: `true` in any case, or nothing at all. Everything else, and its absence, is no. Of several the first counts. */
export function readFlag(query: unknown, name: string): boolean {
  const given =
    typeof query === 'object' && query !== null ? (query as Readonly<Record<string, unknown>>)[name] : undefined;
  const value = Array.isArray(given) ? given[0] : given;
  return value === '' || (typeof value === 'string' && value.toLowerCase() === 'true');
}
