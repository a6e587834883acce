/** The description of a field of an index for clients, which offer names and values in queries. */
export interface SearchField {
  /** Found by words without a field name. */
  readonly default: boolean;
  readonly description: string;
  readonly indexed: boolean;
  /** A document may hold several values. */
  readonly list: boolean;
  /** Part of the results of a search that does not name fields. */
  readonly stored: boolean;
  /** One of keyword, text, integer, long, float, boolean, date, ip and object. */
  readonly type: string;
}

/** Fields by path, in alphabetical order. */
export type SearchFields = Readonly<Record<string, SearchField>>;

const LINE = /^(?<path>\S+) (?<type>[a-z]+) (?<flags>-|[dils]+) (?<description>.+)$/;

/**
 * Reads a table of fields. A line is a field: path, type, flags, description.
 * The flags are `d` default, `i` indexed, `l` list, `s` stored, `-` none of them.
 * @throws Error for a line with another format
 */
export function readFieldTable(table: string): SearchFields {
  const lines = table.trim().split('\n');
  return inOrder(
    lines.map((line): [string, SearchField] => {
      const { path, type = '', flags = '', description = '' } = LINE.exec(line)?.groups ?? {};
      if (path === undefined) throw new Error(`This is not a field: ${line}`);
      return [path, searchField(type, flags, description)];
    }),
  );
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

/** Sorts fields by path, as the public service lists them. */
export function inOrder(entries: Iterable<readonly [string, SearchField]>): SearchFields {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
