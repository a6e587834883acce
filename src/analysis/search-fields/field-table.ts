/** What clients learn of a field of an index: which names to offer in queries, and what values fit. */
export interface SearchField {
  /** Found by words without a field name. */
  readonly default: boolean;
  readonly description: string;
  readonly indexed: boolean;
  /** A document may hold several values. */
  readonly list: boolean;
  /** Comes with a search that does not name fields. */
  readonly stored: boolean;
  /** keyword, text, integer, long, float, boolean, date, ip or object. */
  readonly type: string;
}

/** By path, in alphabetical order. */
export type SearchFields = Readonly<Record<string, SearchField>>;

const LINE = /^(?<path>\S+) (?<type>[a-z]+) (?<flags>-|[dils]+) (?<description>.+)$/;

/**
 * Reads a table of fields. A line is a field: path, type, flags, description. Flags: `d` default, `i` indexed, `l` list, `s` stored,
 * `-` none of them.
 * @throws Error for a line that is none
 */
export function readFieldTable(table: string): SearchFields {
  const entries = table
    .trim()
    .split('\n')
    .map((line): [string, SearchField] => {
      const { path, type, flags, description } = LINE.exec(line)?.groups ?? {};
      if (path === undefined || type === undefined || flags === undefined || description === undefined) {
        throw new Error(`This is not a field: ${line}`);
      }
      return [path, searchField(type, flags, description)];
    });
  return inOrder(entries);
}

/** @param flags as in `readFieldTable` */
export function searchField(type: string, flags: string, description: string): SearchField {
  return {
    default: flags.includes('d'),
    description,
    indexed: flags.includes('i'),
    list: flags.includes('l'),
    stored: flags.includes('s'),
    type,
  };
}

/** By name, as the public service lists them. */
export function inOrder(entries: Iterable<readonly [string, SearchField]>): SearchFields {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
