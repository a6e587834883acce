/** Whether a query argument says `true`, in any case; everything else, and its absence, is false. Of several the last counts. */
export function readFlag(query: unknown, name: string): boolean {
  const given =
    typeof query === 'object' && query !== null ? (query as Readonly<Record<string, unknown>>)[name] : undefined;
  const value = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' && value.toLowerCase() === 'true';
}
