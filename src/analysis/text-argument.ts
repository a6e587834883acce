/** A query argument, when it is there and not empty. Of several the first counts. */
export function readText(query: unknown, name: string): string | undefined {
  const given =
    typeof query === 'object' && query !== null ? (query as Readonly<Record<string, unknown>>)[name] : undefined;
  const value = Array.isArray(given) ? given[0] : given;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
